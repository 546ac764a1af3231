// Reads one JSON text (RFC 8259) value by value, strictly, and knows the byte at which it goes wrong.
//
// Everything the RFC forbids is refused: other literals, leading zeros, unescaped control characters, lone
// surrogates, trailing commas, text after the value. Nesting is counted, not recursed into; keys of an object
// are compared after unescaping, by a seeded hash, in O(n log n). The text must be valid UTF-8 (blocks are
// checked as a whole) and be followed by 16 readable bytes. Strings without escapes are views of the text.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {

enum class JsonKind { string, number, boolean, null, object, array };

// Thrown for malformed text; the reader of rows adds file and line.
struct JsonFault {
  const char* at;
  std::string message;
  bool is_limit = false;  // nesting beyond the limit
  std::string hint = {};
};

class JsonReader {
 public:
  // `max_depth` counts open objects and arrays.
  JsonReader(std::string_view text, int max_depth)
      : p_(text.data()), end_(p_ + text.size()), max_depth_(max_depth) {}

  // Skips blanks; the next byte, or '\0' at the end.
  char peek() {
    skip_blanks();
    return p_ < end_ ? *p_ : '\0';
  }
  const char* at() const noexcept { return p_; }
  // Moves over `text` if that is what follows, byte by byte.
  bool skip_text(std::string_view text) noexcept {
    if (static_cast<std::size_t>(end_ - p_) < text.size() || std::memcmp(p_, text.data(), text.size()) != 0)
      return false;
    p_ += text.size();
    return true;
  }
  JsonKind kind() {  // of the value that follows
    switch (peek()) {
      case '"':
        return JsonKind::string;
      case '{':
        return JsonKind::object;
      case '[':
        return JsonKind::array;
      case 't':
      case 'f':
        return JsonKind::boolean;
      case 'n':
        return JsonKind::null;
      default:
        if (p_ < end_ && (*p_ == '-' || (*p_ >= '0' && *p_ <= '9'))) return JsonKind::number;
        fail_no_value();
    }
  }

  // A string, unescaped into `scratch` if need be.
  std::string_view read_string(std::string& scratch);
  // A number as written; its value in `value`. Overflow of a double is a fault.
  std::string_view read_number(double& value) {
    skip_blanks();
    const char* const begin = p_;
    const char* const stop = scan_plain_number(begin, value);
    if (stop == nullptr || stop > end_) return read_any_number(value);
    p_ = stop;
    return {begin, static_cast<std::size_t>(stop - begin)};
  }
  std::string_view read_literal();  // true, false or null, as written

  // Objects and arrays: open, then while more(): a key (objects) and a value each, until more() says no.
  void open(char bracket);
  bool more(char closing, bool first);
  // A key and its colon.
  std::string_view read_key(std::string& scratch);
  // Any value, checked completely, its contents forgotten.
  void skip_value();
  // Nothing but blanks may follow.
  void expect_end();

  [[noreturn]] void fail(std::string message) const { throw JsonFault{p_, std::move(message)}; }

 private:
  // [-] up to 7 digits [. up to 7 digits] with nothing of a number behind; nullptr for everything else, which may
  // be a number as well.
  static const char* scan_plain_number(const char* p, double& value) noexcept {
    const std::uint64_t sign = std::uint64_t{*p == '-'} << 63;
    const char* q = p + (sign >> 63);
    const number::Digits whole = number::leading_digits(number::load8(q));
    if (whole.count - 1 >= 7 || (*q == '0' && whole.count > 1)) return nullptr;
    q += whole.count;
    std::uint64_t mantissa = whole.value;
    double scale = 1;
    if (*q == '.') {
      const number::Digits fraction = number::leading_digits(number::load8(q + 1));
      if (fraction.count - 1 >= 7) return nullptr;
      mantissa = mantissa * number::integer_power[fraction.count] + fraction.value;
      scale = number::power_of_ten[fraction.count];
      q += 1 + fraction.count;
    }
    if ((*q | 0x20) == 'e') return nullptr;
    const double magnitude = static_cast<double>(mantissa) / scale;
    value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign);
    return q;
  }
  std::string_view read_any_number(double& value);
  void append_escape(std::string& scratch);
  std::uint32_t read_hex4();
  [[noreturn]] void fail_no_value() const;
  void skip_blanks() {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\t' || *p_ == '\r' || *p_ == '\n')) ++p_;
  }

  const char* p_;
  const char* end_;
  int depth_ = 0;
  int max_depth_;
};

// Finds keys that occur twice in one object.
class JsonKeySet {
 public:
  void clear() { keys_.clear(); }
  void add(std::string_view key, const char* at);
  // The second occurrence of a repeated key, or nullptr.
  const char* repeated();
  // Throws the fault of a repeated key, if there is one; all keys stand before `end`.
  void check(const char* end);

 private:
  struct Key {
    std::uint64_t hash;
    const char* at;
  };
  std::vector<Key> keys_;
};

}  // namespace lazylogit::io
