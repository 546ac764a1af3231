#include "lazylogit/io/formats/libsvm_parser.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "lazylogit/base/ascii.hpp"
#include "lazylogit/io/formats/libsvm.hpp"
#include "lazylogit/io/formats/libsvm_errors.hpp"
#include "lazylogit/io/formats/pair_lanes.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/parse_number.hpp"
#include "lazylogit/io/token_limit.hpp"

namespace lazylogit::io {
namespace {

const char* line_end(const char* p, const char* end) noexcept {
  const void* found = p < end ? std::memchr(p, '\n', static_cast<std::size_t>(end - p)) : nullptr;
  return found == nullptr ? end : static_cast<const char*>(found);
}

bool at_line_end(const char* p, const char* end) noexcept {
  return p >= end || *p == '\n' || (*p == '\r' && (p + 1 == end || p[1] == '\n'));
}

// An index of eight digits or more, or a stray byte; false when it is no index of at most ten digits.
bool long_index(const char*& p, std::uint64_t& index) noexcept {
  index = 0;
  const char* q = p;
  while (*q >= '0' && *q <= '9' && q - p < 19) index = index * 10 + static_cast<std::uint64_t>(*q++ - '0');
  if (q == p || (*q >= '0' && *q <= '9') || index > max_libsvm_index) return false;
  p = q;
  return true;
}

// The pairs of one row as they were read; `odd` rows need sorting, or zeros taken out.
struct Pairs {
  const char* stop = nullptr;  // the line's end or comment, or the pair that could not be read
  std::size_t count = 0;
  bool bad = false, odd = false, query_id = false;
  bool ones = true;  // but for zeros
};

// `qid:123` at p: its end; nullptr when it is something else.
const char* query_id_end(const char* p, const char* end) noexcept {
  const char* const stop = token_end(p, end);
  const std::string_view token(p, static_cast<std::size_t>(stop - p));
  std::uint64_t ignored = 0;
  if (token.substr(0, 4) != "qid:" ||
      parse_integer(token.substr(4), std::numeric_limits<std::uint64_t>::max(), ignored) ==
          NumberStatus::malformed)
    return nullptr;
  return stop;
}

template <class T>
void look_at(const FeatureId* ids, const T* values, Pairs& pairs) noexcept {
  // Numbers of the width of what is counted: compilers can use whole vectors.
  using Count = std::conditional_t<sizeof(T) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
  std::uint32_t descents = 0;
  Count zeros = 0, ones = 0;
  for (std::size_t k = 1; k < pairs.count; ++k) descents += ids[k] <= ids[k - 1] ? 1 : 0;
  for (std::size_t k = 0; k < pairs.count; ++k) {
    zeros += values[k] == T{0} ? 1 : 0;
    ones += values[k] == T{1} ? 1 : 0;
  }
  pairs.odd = descents > 0 || zeros > 0;
  pairs.ones = ones + zeros == static_cast<Count>(pairs.count);
}

// Reads pairs from p, which is just after the label (or at the first pair when there is no label).
template <class T>
Pairs read_pairs(const char* p, const char* end, const KeyRule& rule, PairIndex& index, FeatureId* ids,
                 T* values) noexcept {
  Pairs pairs;
  std::size_t alone = 0;  // so many are read here before a group is tried again
  for (;; --alone) {
    if (alone == 0) {
      const PairMarks marks = index.from(p, end);
      const bool at_mark = marks.count > 0 && marks.base + marks.marks[0] == p && is_blank(*p);
      if (at_mark) {
        const std::size_t taken = take_pairs(marks, rule, ids + pairs.count, values + pairs.count);
        pairs.count += taken;
        p = marks.base + marks.marks[2 * taken];
        index.skip(2 * taken);
      }
      alone = at_mark ? pair_group : 1;
    }
    while (is_blank(*p)) ++p;
    pairs.stop = p;
    const number::Digits digits = number::leading_digits(number::load8(p));
    std::uint64_t index_read = digits.value;
    if (digits.count - 1 < 7) {
      p += digits.count;
    } else if (digits.count == 0) {
      if (at_line_end(p, end) || *p == '#') break;
      p = *p == 'q' ? query_id_end(p, end) : nullptr;
      if (p == nullptr) {
        pairs.bad = true;
        break;
      }
      pairs.query_id = true;
      continue;
    } else if (!long_index(p, index_read)) {
      pairs.bad = true;
      break;
    }
    double value = 0;
    NumberStatus status = NumberStatus::malformed;
    if (*p == ':' && index_read >= rule.least) p = scan_number(p + 1, end, value, status);
    const T stored = static_cast<T>(value);
    if (status != NumberStatus::ok || std::fabs(stored) > std::numeric_limits<T>::max() ||
        !(is_blank(*p) || at_line_end(p, end) || *p == '#')) {
      pairs.bad = true;
      break;
    }
    ids[pairs.count] = static_cast<FeatureId>(index_read - rule.least);
    values[pairs.count++] = stored;
  }
  look_at(ids, values, pairs);
  return pairs;
}

// Features that share a hashed column are summed.
ErrorDetail sum_error(const TextBlock& block, const char* at) {
  ErrorDetail detail = block.place(at);
  detail.kind = ErrorKind::input;
  detail.message = "the values of features that share a column sum beyond the range of a number";
  detail.hint = "raise --hash-bits";
  detail.code = "bad-number";
  return detail;
}

}  // namespace

bool libsvm_carries_label(std::string_view label) noexcept {
  if (label.empty()) return false;
  for (const char c : label)
    if (is_blank(c) || c == ':' || c == ',' || c == '#' || c == '\n' || c == '\r') return false;
  return true;
}

namespace {

// A list of labels: commas, and nothing else that a label may not have.
bool libsvm_carries_set(std::string_view token) {
  std::string text(token);
  std::replace(text.begin(), text.end(), ',', '_');
  return libsvm_carries_label(text);
}

}  // namespace

void LibsvmParser::parse(const TextBlock& block, RowBlock& out) const {
  out.clear(*settings_.options, settings_.precision);
  if (settings_.precision == Precision::float64)
    parse_rows(block, out, out.values64);
  else
    parse_rows(block, out, out.values32);
}

// Reads the label at p, or finds that there is none. Returns what is wrong.
std::optional<ErrorDetail> LibsvmParser::read_label(const TextBlock& block, const char*& p, const char* end,
                                                    RowBlock& out, std::uint32_t& label) const {
  const char* const stop = token_end(p, end);
  const std::string_view token(p, static_cast<std::size_t>(stop - p));
  label = no_label;
  if (is_byte_order_mark(p)) return bad_byte_error(block, p);
  const bool sets = settings_.options->response == data::Response::labels;
  if (sets && token.find(':') != std::string_view::npos) {
    label = out.labels.intern({}).value_or(no_label);
    return std::nullopt;
  }
  if (!settings_.options->labels_required && token.find(':') != std::string_view::npos) return std::nullopt;
  if (token.size() > settings_.options->limits.max_name_bytes) {
    ErrorDetail detail = block.place(p);
    detail.message = "a label is longer than " + std::to_string(settings_.options->limits.max_name_bytes) +
                     " bytes, which is the limit";
    detail.hint = "see --max-name-bytes";
    detail.code = "name-too-long";
    throw LimitError(std::move(detail));
  }
  if ((libsvm_carries_label(token) || (sets && libsvm_carries_set(token))) &&
      find_bad_byte(token) == nullptr) {
    if (const auto id = out.labels.intern(token)) {
      label = *id;
      p = stop;
      return std::nullopt;
    }
  }
  return label_error(block, p, stop, out.labels);
}

template <class T>
void LibsvmParser::parse_rows(const TextBlock& block, RowBlock& out, Buffer<T>& values) const {
  const char* p = block.text().data();
  const char* const end = p + block.size;
  const auto base = static_cast<std::uint64_t>(settings_.index_base);
  const bool translate =
      settings_.lookup != nullptr || settings_.growing != nullptr || settings_.hash_bits.has_value();
  PairIndex index;
  KeyRule rule = {.least = static_cast<std::uint32_t>(base)};
  out.ids.reserve(block.size / 3 + 2);  // a pair has three bytes at least
  values.reserve(block.size / 3 + 2);
  bool go_on = true;
  while (go_on && p < end) {
    out.begin_row();
    while (is_blank(*p)) ++p;
    std::uint32_t label = no_label;
    if (!at_line_end(p, end) && *p != '#') {
      if (std::optional<ErrorDetail> error = read_label(block, p, end, out, label)) {
        go_on = out.reject(*std::move(error));
        p = line_end(p, end) + 1;
        continue;
      }
      const char* const first = p;
      const std::size_t begin = out.ids.size();
      FeatureId* const ids = out.ids.data() + begin;
      if (is_growing()) rule.table = settings_.growing->table();
      const Pairs pairs = read_pairs(p, end, rule, index, ids, values.data() + begin);
      p = pairs.stop;
      if (pairs.bad) {
        go_on = out.reject(pair_error(block, p, end, settings_.index_base, sizeof(T) == 4));
        p = line_end(p, end) + 1;
        continue;
      }
      out.ids.resize(begin + pairs.count);
      values.resize(begin + pairs.count);
      if (pairs.query_id && out.notices.empty()) out.notices.emplace_back("query ids (qid:N) are ignored");
      check_token_lengths(block, {first, static_cast<std::size_t>(p - first)}, settings_.options->limits);
      if (pairs.count > settings_.options->limits.max_row_features)
        throw row_too_long(block.place(pair_place(first, end, settings_.options->limits.max_row_features)),
                           *settings_.options);
      if (pairs.odd && out.arrange_row() == RowEnd::repeated) {
        go_on = out.reject(repeated_error(block, first, end, out.problem_id() + base));
        p = line_end(p, end) + 1;
        continue;
      }
      if (translate) {
        if (translate_row(out, values, label, pairs.ones) == RowEnd::overflow)
          go_on = out.reject(sum_error(block, first));
      } else {
        out.complete_row(label, pairs.ones);
      }
    }
    if (p < end && *p == '#') {
      const char* const stop = line_end(p, end);
      if (const char* bad = find_bad_byte({p, static_cast<std::size_t>(stop - p)}))
        go_on = out.note_error(bad_byte_error(block, bad));
      p = stop;
    }
    p += p < end && *p == '\r' ? 2 : 1;
  }
}

// Indices to a model's columns or to hashed ones; the row is arranged and without repetition.
template <class T>
RowEnd LibsvmParser::translate_row(RowBlock& out, Buffer<T>& values, std::uint32_t label, bool ones) const {
  const std::size_t begin = out.row_begin();
  if (is_growing()) {  // distinct indices, distinct columns: in order of index
    settings_.growing->to_columns(out.ids.data() + begin, out.ids.size() - begin);
    out.complete_row(label, ones);
    return RowEnd::ok;
  }
  std::size_t to = begin;
  for (std::size_t k = begin; k < out.ids.size(); ++k) {
    std::uint32_t column = 0;
    if (settings_.hash_bits) {
      char text[16];
      const auto written =
          std::to_chars(text, text + sizeof text,
                        std::uint64_t{out.ids[k]} + static_cast<std::uint64_t>(settings_.index_base));
      const std::uint64_t hash = hash_feature_name({text, static_cast<std::size_t>(written.ptr - text)});
      if (settings_.learning) out.note_hash(hash);
      column = static_cast<std::uint32_t>(hash & ((std::uint64_t{1} << *settings_.hash_bits) - 1));
      if (settings_.lookup != nullptr) column = settings_.lookup->find(column);
    } else {
      column = settings_.lookup->find(out.ids[k]);
    }
    if (column == IndexLookup::unknown) {
      ++out.unknown_features;
      continue;
    }
    out.ids[to] = column;
    values[to++] = values[k];
  }
  out.ids.resize(to);
  values.resize(to);
  const RowEnd end = out.end_row(label);
  return end == RowEnd::repeated ? out.sum_repeated(label) : end;
}

}  // namespace lazylogit::io
