#include "lazylogit/io/text_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>

#include "lazylogit/base/utf8.hpp"
#include "lazylogit/io/foreign_bytes.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::io {
namespace {

// Counts in bytes of at most 255 so that compilers can use whole vectors.
template <std::size_t kinds>
[[gnu::always_inline]] inline std::array<std::uint64_t, kinds> count_each(
    const char* text, std::size_t size, const std::array<char, kinds>& wanted) noexcept {
  std::array<std::uint64_t, kinds> totals = {};
  while (size > 0) {
    const std::size_t lot = std::min<std::size_t>(size, std::size_t{64} * 255);
    unsigned char counts[kinds][64] = {};
    std::size_t i = 0;
    for (; i + 64 <= lot; i += 64)
      for (std::size_t j = 0; j < kinds; ++j)
        for (std::size_t k = 0; k < 64; ++k)
          counts[j][k] = static_cast<unsigned char>(counts[j][k] + (text[i + k] == wanted[j] ? 1 : 0));
    for (std::size_t j = 0; j < kinds; ++j) {
      for (std::size_t rest = i; rest < lot; ++rest) totals[j] += text[rest] == wanted[j] ? 1 : 0;
      for (const unsigned char count : counts[j]) totals[j] += count;
    }
    text += lot;
    size -= lot;
  }
  return totals;
}

LAZYLOGIT_TARGET_CLONES std::uint64_t count_byte(const char* text, std::size_t size, char wanted) noexcept {
  return count_each<1>(text, size, {wanted})[0];
}

LAZYLOGIT_TARGET_CLONES std::array<std::uint64_t, 2> count_lines_and_quotes(const char* text,
                                                                            std::size_t size) noexcept {
  return count_each<2>(text, size, {'\n', '"'});
}

// The first group of 64 bytes with one that is neither printable ASCII nor a tab or line end, or the rest that is no
// whole group.
LAZYLOGIT_TARGET_CLONES const char* skip_plain(const char* p, const char* end) noexcept {
  for (; end - p >= 64; p += 64) {
    unsigned char special = 0;
    for (std::size_t k = 0; k < 64; ++k) {
      const auto c = static_cast<unsigned char>(p[k]);
      special = static_cast<unsigned char>(
          special | static_cast<unsigned char>((c < 0x20) & (c != '\t') & (c != '\n')) |
          static_cast<unsigned char>(c >= 0x7F));
    }
    if (special != 0) break;
  }
  return p;
}

}  // namespace

ErrorDetail TextBlock::place(const char* at) const {
  const char* start = storage.data() + begin;
  const auto* text_end = start + size;
  at = std::min(at, text_end);
  const char* line_start = at;
  while (line_start > start && line_start[-1] != '\n') --line_start;
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = file == nullptr ? std::string() : *file;
  detail.line = first_line + count_byte(start, static_cast<std::size_t>(line_start - start), '\n');
  detail.column = static_cast<std::uint64_t>(at - line_start) + 1;
  return detail;
}

TextBlocks::TextBlocks(std::vector<Input>& inputs, RecordRule rule, const Limits& limits,
                       std::size_t block_bytes)
    : inputs_(&inputs),
      rule_(rule),
      max_line_bytes_(limits.max_line_bytes),
      block_bytes_(std::max<std::size_t>(block_bytes, 4)) {  // 4: enough to see an encoding
  for (const Input& input : inputs) {
    if (input.size() == 0) {
      total_ = 0;
      break;
    }
    total_ += input.size();
  }
}

TextBlocks::~TextBlocks() = default;

bool TextBlocks::open_next() {
  if (next_input_ == inputs_->size()) return false;
  source_ = (*inputs_)[next_input_++].open();
  carry_.clear();
  at_start_ = true;
  line_ = 1;
  return true;
}

std::size_t TextBlocks::fill(Buffer<char>& storage, std::size_t have, std::size_t want, bool& at_end) {
  if (!eager_) {
    have += read_fully(*source_, storage.data() + have, want - have);
    at_end = have < want;
    return have;
  }
  while (have < want) {
    std::size_t count = 0;
    try {
      count = source_->read(storage.data() + have, want - have);
    } catch (const Error&) {  // its turn comes after the records that were there before
      if (have == 0) throw;
      failure_ = std::current_exception();
      break;
    }
    have += count;
    at_end = count == 0;
    if (at_end || !source_->ready()) break;
  }
  return have;
}

bool TextBlocks::next(TextBlock& block) {
  for (;;) {
    if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
    if (source_ == nullptr && !open_next()) return false;
    const Input& input = (*inputs_)[next_input_ - 1];
    Buffer<char>& storage = block.storage;
    if (storage.size() < carry_.size() + block_bytes_ + block_padding)
      storage.resize(carry_.size() + block_bytes_ + block_padding);
    if (!carry_.empty()) std::memcpy(storage.data(), carry_.data(), carry_.size());
    std::size_t have = carry_.size(), want = carry_.size() + block_bytes_, end = 0;
    carry_.clear();
    bool at_end = false;
    const bool quoted = rule_ == RecordRule::quoted_lines;
    std::array<std::uint64_t, 2> counts = {};  // quoted: of line ends and quotes
    for (;;) {
      have = fill(storage, have, want, at_end);
      if (quoted) counts = count_lines_and_quotes(storage.data(), have);
      end = at_end ? have : last_record_end(storage.data(), have, counts[1] % 2 == 1);
      if (end > 0 || at_end) break;
      if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
      if (have < want) continue;
      const std::uint64_t most = std::max<std::uint64_t>(max_line_bytes_ + 4, want);  // 3: a byte order mark
      if (have >= most) break;
      // A very long record is overshot by little: what lies behind it is kept twice.
      constexpr std::size_t long_record = std::size_t{4} << 20;
      const std::size_t more = have < long_record ? have : have / 4;
      want = static_cast<std::size_t>(std::min<std::uint64_t>(have + more, most));
      storage.resize(want + block_padding);
    }
    block.begin = 0;
    block.file = &input.name();
    block.file_index = next_input_ - 1;
    block.first_line = line_;
    block.sequence = num_blocks_;
    block.first_of_file = at_start_;
    if (at_start_) {
      const std::string_view head(storage.data(), have);
      refuse_other_than_text(head, input.name());
      if (head.substr(0, byte_order_mark.size()) == byte_order_mark) block.begin = byte_order_mark.size();
    }
    at_start_ = false;
    block.size = (end == 0 ? have : end) - block.begin;
    if (have - block.begin > max_line_bytes_) check_record_lengths(block);
    if (end < have) carry_.append({storage.data() + end, have - end});
    line_ += quoted ? counts[0] - count_byte(storage.data() + end, have - end, '\n')
                    : count_byte(storage.data(), end, '\n');
    std::memset(storage.data() + end, 0, block_padding);
    text_bytes_ += end;
    bytes_done_ = done_before_ + source_->consumed();
    if (at_end) {
      source_.reset();
      done_before_ = bytes_done_;
    }
    if (block.size == 0) continue;
    ++num_blocks_;
    return true;
  }
}

std::size_t TextBlocks::last_record_end(const char* text, std::size_t size, bool inside) const noexcept {
  if (rule_ == RecordRule::lines) {
    const void* found = ::memrchr(text, '\n', size);
    return found == nullptr ? 0 : static_cast<std::size_t>(static_cast<const char*>(found) - text) + 1;
  }
  // The text begins outside quotes; walk back from its end with the parity of the quotes so far.
  for (std::size_t i = size; i > 0; --i) {
    if (text[i - 1] == '"') inside = !inside;
    if (text[i - 1] == '\n' && !inside) return i;
  }
  return 0;
}

void TextBlocks::check_record_lengths(const TextBlock& block) const {
  const char* record = block.text().data();
  const char* end = record + block.size;
  bool inside = false;
  for (const char* at = record; at <= end;) {
    const auto rest = static_cast<std::size_t>(end - at);
    const void* found = rest == 0 ? nullptr : std::memchr(at, '\n', rest);
    const char* stop = found == nullptr ? end : static_cast<const char*>(found);
    if (rule_ == RecordRule::quoted_lines)
      inside ^= count_byte(at, static_cast<std::size_t>(stop - at), '"') % 2 == 1;
    if (static_cast<std::uint64_t>(stop - record) > max_line_bytes_) {
      ErrorDetail detail = block.place(record);
      detail.message =
          "a line is longer than " + std::to_string(max_line_bytes_) + " bytes, which is the limit";
      detail.hint = "see --max-line-bytes";
      detail.code = "line-too-long";
      throw LimitError(std::move(detail));
    }
    at = stop + 1;
    if (!inside) record = at;
  }
}

const char* find_bad_byte(std::string_view text) noexcept {
  const char* p = text.data();
  const char* const end = p + text.size();
  while (p < end) {
    p = skip_plain(p, end);
    const char* const stop = std::min(end, p + 64);
    while (p < stop) {
      const auto c = static_cast<unsigned char>(*p);
      if (c >= 0x80) {
        const std::size_t length = utf8_sequence_length({p, static_cast<std::size_t>(end - p)});
        if (length == 0) return p;
        p += length;
        continue;
      }
      if (c < 0x20 || c == 0x7F) {
        const bool fine = c == '\t' || c == '\n' || (c == '\r' && (p + 1 == end || p[1] == '\n'));
        if (!fine) return p;
      }
      ++p;
    }
  }
  return nullptr;
}

ErrorDetail bad_byte_error(const TextBlock& block, const char* at) {
  ErrorDetail detail = block.place(at);
  const auto c = static_cast<unsigned char>(*at);
  const std::string_view rest(at, static_cast<std::size_t>(block.text().data() + block.size - at));
  detail.found = quote_text(rest.substr(0, 1));
  if (c == '\r')
    detail.message = "found a carriage return without a line feed, expected LF or CRLF line ends";
  else if (c == 0)
    detail.message = "found a NUL byte, expected text";
  else if (c < 0x80)
    detail.message = "found the control character " + detail.found + ", expected text";
  else
    detail.message = "found " + detail.found + ", which is not valid UTF-8; expected UTF-8 text";
  detail.code = c < 0x80 ? "control-character" : "bad-utf8";
  if (c >= 0x80) detail.hint = "text from Windows becomes UTF-8 with iconv -f WINDOWS-1252 -t UTF-8";
  if (rest.starts_with(byte_order_mark)) {
    detail.message =
        "found a byte order mark within the file, as in files put one after another; expected it at the "
        "start alone";
    detail.hint = "give the files one by one, or take the mark out";
    detail.code = "stray-byte-order-mark";
  }
  return detail;
}

}  // namespace lazylogit::io
