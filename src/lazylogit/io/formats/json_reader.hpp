// Reads one JSON text (RFC 8259) value by value, strictly, and knows the byte at which it goes wrong.
//
// Everything the RFC forbids is refused: other literals, leading zeros, unescaped control characters, lone
// surrogates, trailing commas, text after the value. Nesting is counted, not recursed into; keys of an object
// are compared after unescaping, by a seeded hash, in O(n log n). The text must be valid UTF-8 (blocks are
// checked as a whole) and be followed by 16 readable bytes. Strings without escapes are views of the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lazylogit::io {

enum class JsonKind { string, number, boolean, null, object, array };

// Thrown for malformed text; the reader of rows adds file and line.
struct JsonFault {
  const char* at;
  std::string message;
  bool is_limit = false;  // nesting beyond the limit
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
  std::string_view read_number(double& value);
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

 private:
  struct Key {
    std::uint64_t hash;
    const char* at;
  };
  std::vector<Key> keys_;
};

}  // namespace lazylogit::io
