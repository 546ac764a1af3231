#include "lazylogit/config/field_info.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/utf8.hpp"
#include "lazylogit/config/nearest.hpp"

namespace lazylogit::config {
namespace {

[[noreturn]] void reject(const FieldInfo& info, std::string_view text, const std::string& expected,
                         std::string hint = {}) {
  throw Error({.kind = ErrorKind::usage,
               .message = fmt::format("found {}, expected {}", quote_text(text), expected),
               .hint = std::move(hint),
               .option = info.name,
               .found = quote_text(text),
               .expected = expected,
               .code = "bad-option-value"});
}

std::string expected_of(const FieldInfo& info, std::string_view noun) {
  return describe(info.bounds, noun) + (info.unset_word.empty() ? "" : " or " + info.unset_word);
}

// Reads a number with `parse` and holds it to the bounds.
template <class Number, class Parse>
Number checked(const FieldInfo& info, std::string_view text, std::string_view noun, Parse parse) {
  const auto value = parse(text);
  if (!value || !info.bounds.contains(static_cast<double>(*value)))
    reject(info, text, expected_of(info, noun));
  return *value;
}

}  // namespace

void check_choice(const FieldInfo& info, std::string_view text) {
  if (info.choices.empty()) return;
  std::string list;
  for (const std::string& choice : info.choices) {
    if (choice == text) return;
    list += (list.empty() ? "" : ", ") + choice;
  }
  reject(info, text, "one of " + list, did_you_mean(text, info.choices));
}

void assign_value(const FieldInfo& info, std::string_view text, bool& out) {
  const auto value = parse_bool(text);
  if (!value) reject(info, text, "true or false");
  out = *value != info.negated;
}

void assign_value(const FieldInfo& info, std::string_view text, int& out) {
  FieldInfo narrow = info;
  narrow.bounds.min = std::max<double>(info.bounds.min, std::numeric_limits<int>::min());
  narrow.bounds.max = std::min<double>(info.bounds.max, std::numeric_limits<int>::max());
  out = static_cast<int>(checked<std::int64_t>(narrow, text, "an integer", parse_integer));
}

void assign_value(const FieldInfo& info, std::string_view text, std::uint64_t& out) {
  if (info.bytes) {
    const auto value = parse_bytes(text);
    if (!value || !info.bounds.contains(static_cast<double>(*value)))
      reject(info, text, "a number of bytes such as 500M or 2G");
    out = *value;
    return;
  }
  FieldInfo natural = info;
  natural.bounds.min = std::max(info.bounds.min, 0.0);
  out = checked<std::uint64_t>(natural, text, "an integer", parse_count);
}

void assign_value(const FieldInfo& info, std::string_view text, double& out) {
  if (names_infinity(text)) reject(info, text, expected_of(info, "a finite number"), info.for_infinity);
  out = checked<double>(info, text, "a number", parse_real);
}

void assign_value(const FieldInfo& info, std::string_view text, char& out) {
  if (text == "\\t" || text == "tab") text = "\t";
  if (text.size() != 1 || static_cast<unsigned char>(text[0]) >= 0x80)
    reject(info, text, "one ASCII character, or \\t for a tab");
  out = text[0];
}

void assign_value(const FieldInfo& info, std::string_view text, std::string& out) {
  if (text.empty()) reject(info, text, "a value that is not empty");
  check_choice(info, text);
  out = std::string(text);
}

void assign_value(const FieldInfo& info, std::string_view text, std::vector<std::string>& out) {
  for (std::string& item : parse_list(text)) {
    if (item.empty()) reject(info, text, "names separated by commas", "write a comma inside a name as \\,");
    check_choice(info, item);
    out.push_back(std::move(item));
  }
}

std::string value_text(const FieldInfo& info, bool value) { return value != info.negated ? "true" : "false"; }
std::string value_text(const FieldInfo&, int value) { return std::to_string(value); }
std::string value_text(const FieldInfo& info, std::uint64_t value) {
  return info.bytes ? format_bytes(value) : std::to_string(value);
}
std::string value_text(const FieldInfo&, double value) { return format_real(value); }
std::string value_text(const FieldInfo&, char value) { return value == '\t' ? "\\t" : std::string(1, value); }
std::string value_text(const FieldInfo&, const std::string& value) { return value; }
std::string value_text(const FieldInfo&, const std::vector<std::string>& value) { return format_list(value); }

}  // namespace lazylogit::config
