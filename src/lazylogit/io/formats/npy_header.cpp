#include "lazylogit/io/formats/npy_header.hpp"

#include <fmt/format.h>

#include <array>
#include <string>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t max_rank = 32;  // NumPy's own limit

struct RefusedType {
  char letter;
  std::string_view name;
};

constexpr RefusedType refused_types[] = {
    {'O', "Python objects, which only pickle could read"},
    {'c', "complex"},
    {'M', "date"},
    {'m', "time difference"},
    {'V', "raw bytes or structured"},
};

// Walks the dictionary byte by byte; every complaint names the byte.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::uint64_t first, const ArrayPlace& place)
      : text_(text), first_(first), place_(place) {}

  void parse(NpyHeader& header) {
    expect('{', "the header's opening brace");
    std::array<bool, 3> seen{};
    while (!accept('}')) {
      skip_blanks();
      const std::size_t key_at = position_;
      const std::string_view key = quoted();
      expect(':', "a colon after the key");
      std::size_t which = 0;
      if (key == "descr") {
        parse_type(header);
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        which = 1;
      } else if (key == "shape") {
        parse_shape(header);
        which = 2;
      } else {
        reject(key_at,
               "unknown key " + quote_text(key) + " in the header; expected descr, fortran_order, shape");
      }
      if (seen[which]) reject(key_at, "key " + quote_text(key) + " is repeated in the header");
      seen[which] = true;
      if (!accept(',')) {
        expect('}', "a comma or the header's closing brace");
        break;
      }
    }
    if (!seen[0] || !seen[1] || !seen[2])
      reject(0, "the header lacks a key; expected descr, fortran_order and shape");
    skip_blanks();
    if (position_ + 1 != text_.size() || text_[position_] != '\n')
      reject(position_, "unexpected text after the header's closing brace");
  }

 private:
  [[noreturn]] void reject(std::size_t at, const std::string& message, const std::string& hint = {}) const {
    reject_array(place_, first_ + at, message, hint);
  }
  void skip_blanks() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  bool accept(char wanted) {
    skip_blanks();
    if (position_ >= text_.size() || text_[position_] != wanted) return false;
    ++position_;
    return true;
  }
  void expect(char wanted, const char* what) {
    if (!accept(wanted)) reject(position_, fmt::format("malformed header: expected {}", what));
  }
  std::string_view quoted() {
    skip_blanks();
    const std::size_t from = position_ + 1;
    if (position_ >= text_.size() || (text_[position_] != '\'' && text_[position_] != '"'))
      reject(position_, "malformed header: expected a quoted string");
    const std::size_t end = text_.find(text_[position_], from);
    if (end == std::string_view::npos) reject(position_, "malformed header: a quote is not closed");
    position_ = end + 1;
    return text_.substr(from, end - from);
  }
  bool word(std::string_view wanted) {
    skip_blanks();
    if (!text_.substr(position_).starts_with(wanted)) return false;
    position_ += wanted.size();
    return true;
  }
  bool boolean() {
    if (word("True")) return true;
    if (word("False")) return false;
    reject(position_, "malformed header: fortran_order must be True or False");
  }
  std::uint64_t integer(std::string_view digits, std::size_t at) const {
    std::uint64_t value = 0;
    for (const char c : digits)
      if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
          __builtin_add_overflow(value, static_cast<std::uint64_t>(c - '0'), &value) || value >> 63 != 0)
        reject(at, "number " + quote_text(digits) + " in the header is too large");
    return value;
  }
  std::string_view digits() {
    const std::size_t from = position_;
    while (position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9') ++position_;
    return text_.substr(from, position_ - from);
  }
  void parse_shape(NpyHeader& header) {
    expect('(', "the shape, a tuple such as (100, 20)");
    while (!accept(')')) {
      skip_blanks();
      const std::size_t at = position_;
      if (position_ < text_.size() && text_[position_] == '-') reject(at, "the shape has a negative length");
      const std::string_view length = digits();
      if (length.empty()) reject(at, "malformed header: expected a length in the shape");
      header.shape.push_back(integer(length, at));
      if (position_ < text_.size() && text_[position_] == 'L') ++position_;  // as Python 2 wrote it
      if (header.shape.size() > max_rank) reject(at, "the shape has more than 32 dimensions");
      if (!accept(',')) {
        expect(')', "a comma or the end of the shape");
        break;
      }
    }
  }

  [[noreturn]] void refuse_type(std::size_t at, std::string_view type, std::string_view name) const {
    reject(at, fmt::format("element type {} ({}) is not supported", quote_text(type), name),
           "save an array of numbers: bool, int8..int64, uint8..uint64, float16, float32 or float64");
  }
  void parse_type(NpyHeader& header) {
    skip_blanks();
    const std::size_t at = position_;
    if (position_ < text_.size() && text_[position_] == '[') refuse_type(at, "[...]", "structured");
    const std::string_view type = quoted();
    std::size_t i = 0;
    if (i < type.size() && (type[i] == '<' || type[i] == '>' || type[i] == '|' || type[i] == '='))
      header.big_endian = type[i++] == '>';
    const char letter = i < type.size() ? type[i++] : '\0';
    const std::string_view size = type.substr(i);
    for (const auto& refused : refused_types)
      if (letter == refused.letter) refuse_type(at, type, refused.name);
    if (size.empty() || size.find_first_not_of("0123456789") != std::string_view::npos)
      refuse_type(at, type, "unknown");
    header.item_bytes = integer(size, at);
    const std::uint64_t bytes = header.item_bytes;
    const bool power_up_to_8 = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    switch (letter) {
      case 'b':
        header.kind = NpyKind::boolean;
        if (bytes != 1) refuse_type(at, type, "boolean of that size");
        return;
      case 'i':
      case 'u':
        header.kind = letter == 'i' ? NpyKind::signed_integer : NpyKind::unsigned_integer;
        if (!power_up_to_8) refuse_type(at, type, "integer of that size");
        return;
      case 'f':
        header.kind = NpyKind::floating;
        if (!power_up_to_8 || bytes == 1) refuse_type(at, type, "floating point of that size");
        return;
      case 'S':
      case 'a':
        header.kind = NpyKind::byte_text;
        return;
      case 'U':
        header.kind = NpyKind::unicode_text;
        if (__builtin_mul_overflow(bytes, std::uint64_t{4}, &header.item_bytes))
          reject(at, "the element size overflows");
        return;
      default:
        refuse_type(at, type, "unknown");
    }
  }

  std::string_view text_;
  std::uint64_t first_;
  const ArrayPlace& place_;
  std::size_t position_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view bytes, const ArrayPlace& place) {
  if (!bytes.starts_with(npy_magic)) {
    if (bytes.starts_with("\x80"))
      reject_array(place, 0, "this is a pickle, which is never read; expected a .npy file",
                   "save the array with numpy.save(..., allow_pickle=False)");
    reject_array(place, 0, "this is not a .npy file: it does not begin with \"\\x93NUMPY\"");
  }
  if (bytes.size() < 8) reject_array(place, bytes.size(), "the file ends inside the header");
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i]));
  };
  const std::uint64_t major = byte(6), minor = byte(7);
  if (major < 1 || major > 3 || minor != 0)
    reject_array(
        place, 6,
        fmt::format("version {}.{} of the .npy format is unknown; expected 1.0, 2.0 or 3.0", major, minor));
  const std::size_t length_bytes = major == 1 ? 2 : 4;
  const std::size_t text_at = 8 + length_bytes;
  if (bytes.size() < text_at) reject_array(place, bytes.size(), "the file ends inside the header");
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) length |= byte(8 + i) << (8 * i);
  if (length > max_npy_header_bytes - 12)
    reject_array(place, 8, fmt::format("a header of {} bytes is longer than the limit of 65536", length));
  if (bytes.size() - text_at < length) reject_array(place, bytes.size(), "the file ends inside the header");

  NpyHeader header;
  HeaderParser(bytes.substr(text_at, length), text_at, place).parse(header);
  header.data_offset = text_at + length;
  header.num_items = 1;
  bool overflow = false, empty = false;
  for (const std::uint64_t extent : header.shape) {
    empty = empty || extent == 0;
    overflow = __builtin_mul_overflow(header.num_items, extent, &header.num_items) || overflow;
  }
  if (empty) header.num_items = 0;
  if ((overflow && !empty) || __builtin_mul_overflow(header.num_items, header.item_bytes, &header.data_bytes))
    reject_array(place, text_at, "the size of the array overflows 64 bits");
  return header;
}

void check_npy_size(const NpyHeader& header, std::uint64_t size, const ArrayPlace& place) {
  const std::uint64_t present = size - header.data_offset;
  if (present < header.data_bytes)
    reject_array(place, size,
                 fmt::format("the data is cut off: the shape needs {} bytes, there are {}", header.data_bytes,
                             present));
  if (present > header.data_bytes)
    reject_array(place, header.data_offset + header.data_bytes, "there are bytes after the end of the array");
}

}  // namespace lazylogit::io
