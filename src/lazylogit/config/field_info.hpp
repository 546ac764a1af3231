// What an option looks like to people, and how the text of its value is checked against that.
//
// One overload of `assign_value` and `value_text` per member type; all throw ConfigError naming the option
// when the text is not acceptable, with what was found and what was expected.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lazylogit/config/value.hpp"

namespace lazylogit::config {

struct FieldInfo {
  std::string name;                       // without the dashes
  char letter = 0;                        // one-letter form, 0: none
  std::string value = {};                 // what help calls the value: "N", "FILE"; empty for flags
  std::string help = {};                  // one sentence, lower case, no final stop
  Bounds bounds = {};                     // numbers
  std::vector<std::string> choices = {};  // text: the accepted words; empty: any
  std::string unset = {};                 // what an optional or empty member stands for: "chosen on a sample"
  std::string unset_word = {};            // the word that unsets an optional member: "auto"
  std::string for_infinity = {};          // reals: what to do instead of giving inf
  std::string bare = {};   // the value when the option is given without one (then a value needs "=")
  bool negated = false;    // a flag that sets false: --no-header
  bool bytes = false;      // an integer with suffixes K, M, G, T
  std::string group = {};  // heading in help; set by the builder
};

enum class Kind { flag, integer, real, bytes, text, list, choice };

void assign_value(const FieldInfo& info, std::string_view text, bool& out);
void assign_value(const FieldInfo& info, std::string_view text, int& out);
void assign_value(const FieldInfo& info, std::string_view text, std::uint64_t& out);
void assign_value(const FieldInfo& info, std::string_view text, double& out);
void assign_value(const FieldInfo& info, std::string_view text, char& out);
void assign_value(const FieldInfo& info, std::string_view text, std::string& out);
void assign_value(const FieldInfo& info, std::string_view text, std::vector<std::string>& out);
template <class T>
void assign_value(const FieldInfo& info, std::string_view text, std::optional<T>& out) {
  if (!info.unset_word.empty() && text == info.unset_word) {
    out.reset();
    return;
  }
  T value{};
  assign_value(info, text, value);
  out = value;
}

std::string value_text(const FieldInfo& info, bool value);
std::string value_text(const FieldInfo& info, int value);
std::string value_text(const FieldInfo& info, std::uint64_t value);
std::string value_text(const FieldInfo& info, double value);
std::string value_text(const FieldInfo& info, char value);
std::string value_text(const FieldInfo& info, const std::string& value);
std::string value_text(const FieldInfo& info, const std::vector<std::string>& value);
template <class T>
std::string value_text(const FieldInfo& info, const std::optional<T>& value) {
  return value ? value_text(info, *value) : std::string();
}

// Throws unless `text` is one of info.choices (any text when there are none); suggests the nearest.
void check_choice(const FieldInfo& info, std::string_view text);

template <class T>
struct OptionalValue {
  using type = T;
};
template <class T>
struct OptionalValue<std::optional<T>> {
  using type = T;
};

template <class Member>
Kind kind_of(const FieldInfo& info) {
  using Value = typename OptionalValue<Member>::type;
  if (std::is_same_v<Value, bool>) return Kind::flag;
  if (std::is_same_v<Value, double>) return Kind::real;
  if (std::is_same_v<Value, std::vector<std::string>>) return Kind::list;
  if (std::is_same_v<Value, int> || std::is_same_v<Value, std::uint64_t>)
    return info.bytes ? Kind::bytes : Kind::integer;
  return info.choices.empty() ? Kind::text : Kind::choice;
}

}  // namespace lazylogit::config
