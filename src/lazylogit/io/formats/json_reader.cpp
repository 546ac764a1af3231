#include "lazylogit/io/formats/json_reader.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "lazylogit/base/ascii.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/utf8.hpp"
#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {
namespace {

// Does one of the eight bytes end or interrupt a string: a quote, a backslash, a control character?
bool interrupts_string(std::uint64_t word) {
  constexpr std::uint64_t ones = 0x0101010101010101ULL, highs = 0x8080808080808080ULL;
  const auto has_zero = [](std::uint64_t v) { return (v - ones) & ~v & highs; };
  const std::uint64_t control = (word - ones * 0x20) & ~word & highs;
  return (has_zero(word ^ (ones * '"')) | has_zero(word ^ (ones * '\\')) | control) != 0;
}

void append_utf8(std::string& text, std::uint32_t code) {
  char bytes[4];
  text.append(bytes, encode_utf8(code, bytes));
}

[[noreturn]] void fail_lone_surrogate(const char* at) {
  throw JsonFault{
      at, "found a lone surrogate in a string, expected a pair: \\ud800 to \\udbff, then \\udc00 to \\udfff"};
}

std::uint64_t key_seed() {
  static const std::uint64_t seed = [] {
    std::random_device device;
    return (static_cast<std::uint64_t>(device()) << 32) | device();
  }();
  return seed;
}

}  // namespace

void JsonKeySet::add(std::string_view key, const char* at) {
  keys_.push_back({XXH3_64bits_withSeed(key.data(), key.size(), key_seed()), at});
}

const char* JsonKeySet::repeated() {
  std::sort(keys_.begin(), keys_.end(),
            [](const Key& a, const Key& b) { return a.hash != b.hash ? a.hash < b.hash : a.at < b.at; });
  const char* first = nullptr;
  for (std::size_t i = 1; i < keys_.size(); ++i)
    if (keys_[i].hash == keys_[i - 1].hash && (first == nullptr || keys_[i].at < first)) first = keys_[i].at;
  return first;
}

void JsonKeySet::check(const char* end) {
  const char* const at = repeated();
  if (at == nullptr) return;
  std::string scratch;
  JsonReader reader({at, static_cast<std::size_t>(end - at)}, 1);
  throw JsonFault{at, "the key " + quote_text(reader.read_key(scratch)) +
                          " occurs twice in an object, expected each key at most once"};
}

void JsonReader::fail_no_value() const {
  if (p_ == end_) fail("the line ends where a value should follow, expected a JSON value");
  // What Python and JavaScript write where they know better than RFC 8259.
  for (const std::string_view word : {"NaN", "Infinity", "nan", "inf", "None", "undefined", "NA"}) {
    const auto left = static_cast<std::size_t>(end_ - p_);
    if (std::string_view(p_, left).substr(0, word.size()) != word) continue;
    throw JsonFault{p_, "found " + quote_text(word) + ", expected a JSON value", false,
                    "null says that a value is missing"};
  }
  fail("found " + quote_text({p_, 1}) + ", expected a JSON value");
}

std::string_view JsonReader::read_string(std::string& scratch) {
  const char* const open = p_;
  if (peek() != '"') fail("expected a string");
  const char* run = ++p_;
  bool escaped = false;
  for (;;) {
    while (end_ - p_ >= 8 && !interrupts_string(number::load8(p_))) p_ += 8;
    while (p_ < end_ && *p_ != '"' && *p_ != '\\' && static_cast<unsigned char>(*p_) >= 0x20) ++p_;
    if (p_ >= end_) throw JsonFault{open, "the line ends inside a string, expected a closing quote"};
    if (*p_ == '"') break;
    if (*p_ != '\\') fail("found a control character in a string, expected it to be escaped");
    if (!escaped) scratch.clear();
    escaped = true;
    scratch.append(run, p_);
    append_escape(scratch);
    run = p_;
  }
  const char* const close = p_++;
  if (!escaped) return {run, static_cast<std::size_t>(close - run)};
  scratch.append(run, close);
  return scratch;
}

void JsonReader::append_escape(std::string& scratch) {
  const char* const start = p_++;  // the backslash
  const char c = p_ < end_ ? *p_ : '\0';
  constexpr std::string_view short_names = "\"\\/bfnrt", short_values = "\"\\/\b\f\n\r\t";
  const std::size_t found = short_names.find(c);
  if (c != '\0' && found != std::string_view::npos) {
    scratch.push_back(short_values[found]);
    ++p_;
    return;
  }
  if (c != 'u')
    throw JsonFault{start,
                    R"(found an unknown escape in a string, expected \", \\, \/, \b, \f, \n, \r, \t or \u)"};
  ++p_;
  std::uint32_t code = read_hex4();
  if (code >= 0xDC00 && code <= 0xDFFF) fail_lone_surrogate(start);
  if (code >= 0xD800 && code <= 0xDBFF) {
    if (end_ - p_ < 2 || p_[0] != '\\' || p_[1] != 'u') fail_lone_surrogate(start);
    p_ += 2;
    const std::uint32_t low = read_hex4();
    if (low < 0xDC00 || low > 0xDFFF) fail_lone_surrogate(start);
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(scratch, code);
}

std::uint32_t JsonReader::read_hex4() {
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i, ++p_) {
    const char c = p_ < end_ ? *p_ : '\0';
    const char lower = static_cast<char>(c | 0x20);
    if (is_digit(c))
      code = code * 16 + static_cast<std::uint32_t>(c - '0');
    else if (lower >= 'a' && lower <= 'f')
      code = code * 16 + static_cast<std::uint32_t>(lower - 'a' + 10);
    else
      fail("expected four hexadecimal digits after \\u");
  }
  return code;
}

std::string_view JsonReader::read_any_number(double& value) {
  const char* const begin = p_;
  NumberStatus status = NumberStatus::malformed;
  const char* const stop = std::min(scan_number(begin, end_, value, status), end_);
  const std::string_view token(begin, static_cast<std::size_t>(stop - begin));
  // Our numbers may be written in ways that JSON's may not: +1, 01, .5, 5. and 5.e1.
  const char* const first = begin + (begin < end_ && *begin == '-' ? 1 : 0);
  const std::size_t dot = token.find('.');
  if (status == NumberStatus::malformed || first >= stop || !is_digit(*first) || !is_digit(stop[-1]) ||
      (dot != std::string_view::npos && !is_digit(token[dot + 1])))
    throw JsonFault{begin, "found a malformed number, expected one as in -1, 0.5 or 2e-3"};
  if (*first == '0' && first + 1 < stop && is_digit(first[1]))
    throw JsonFault{begin, "found a number with a leading zero, expected one without"};
  if (status != NumberStatus::ok)
    throw JsonFault{begin, "found " + quote_text(token) + ", expected a number that a double can hold"};
  p_ = stop;
  // What follows a number is a blank, a comma, a bracket or the end: "1x" is caught by whoever reads on.
  return token;
}

std::string_view JsonReader::read_literal() {
  skip_blanks();
  for (const std::string_view name :
       {std::string_view("true"), std::string_view("false"), std::string_view("null")})
    if (static_cast<std::size_t>(end_ - p_) >= name.size() &&
        std::memcmp(p_, name.data(), name.size()) == 0) {
      const std::string_view text(p_, name.size());
      p_ += name.size();
      return text;
    }
  fail("found " + quote_text({p_, static_cast<std::size_t>(std::min<std::ptrdiff_t>(end_ - p_, 8))}) +
       ", expected true, false or null");
}

void JsonReader::open(char bracket) {
  if (peek() != bracket) fail(std::string("expected ") + bracket);
  if (++depth_ > max_depth_)
    throw JsonFault{p_, "values are nested deeper than the limit of " + std::to_string(max_depth_), true};
  ++p_;
}

bool JsonReader::more(char closing, bool first) {
  const char c = peek();
  if (c == closing) {
    ++p_;
    --depth_;
    return false;
  }
  if (p_ == end_)
    fail(closing == '}' ? "the line ends inside an object, expected one whole object in a line"
                        : "the line ends inside an array, expected one whole object in a line");
  if (first) return true;
  if (c != ',') fail("found " + quote_text({p_, 1}) + ", expected a comma or " + closing);
  ++p_;
  if (peek() == closing)
    fail("found a comma before the end of an object or array, expected a value after it");
  return true;
}

std::string_view JsonReader::read_key(std::string& scratch) {
  if (peek() != '"') {
    if (p_ == end_) fail("the line ends inside an object, expected one whole object in a line");
    fail("found " + quote_text({p_, 1}) + ", expected a key in double quotes");
  }
  const std::string_view key = read_string(scratch);
  if (peek() != ':') fail("expected a colon after the key");
  ++p_;
  return key;
}

void JsonReader::skip_value() {
  struct Level {
    char closing;
    bool first;
    JsonKeySet keys;
  };
  std::vector<Level> levels;
  std::string scratch;
  double number = 0;
  for (;;) {
    switch (kind()) {
      case JsonKind::string:
        read_string(scratch);
        break;
      case JsonKind::number:
        read_number(number);
        break;
      case JsonKind::boolean:
      case JsonKind::null:
        read_literal();
        break;
      case JsonKind::object:
        open('{');
        levels.push_back({'}', true, {}});
        break;
      case JsonKind::array:
        open('[');
        levels.push_back({']', true, {}});
        break;
    }
    for (;;) {  // on to the next value, closing what ends here
      if (levels.empty()) return;
      Level& level = levels.back();
      if (more(level.closing, level.first)) {
        level.first = false;
        if (level.closing == '}') {
          const char* const at = (peek(), p_);
          level.keys.add(read_key(scratch), at);
        }
        break;
      }
      level.keys.check(p_);
      levels.pop_back();
    }
  }
}

void JsonReader::expect_end() {
  if (peek() != '\0' || p_ < end_)
    fail("found " + quote_text({p_, 1}) + " after the end of the object, expected the end of the line");
}

}  // namespace lazylogit::io
