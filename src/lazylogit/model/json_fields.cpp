#include "lazylogit/model/json_fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "lazylogit/base/error.hpp"

namespace lazylogit::model {

using nlohmann::json;

std::optional<std::size_t> exceeds_bounds(std::string_view text, JsonBounds bounds) noexcept {
  int depth = 0;
  std::uint64_t items = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == ',') ++items;
    if (depth > bounds.depth || items > bounds.items) return i;
  }
  return std::nullopt;
}

void refuse_json(const JsonPlace& place, const std::string& what) {
  throw InputError({.message = fmt::format("the model's {} record {}", place.document, what),
                    .file = *place.file,
                    .byte = 8,
                    .code = "bad-model"});
}

json parse_canonical_json(std::string_view text, const JsonPlace& place) {
  constexpr JsonBounds bounds{32, std::uint64_t{16} << 20};
  if (exceeds_bounds(text, bounds)) refuse_json(place, "is nested too deeply or has too many entries");
  json document = json::parse(text.begin(), text.end(), nullptr, false);
  if (document.is_discarded()) refuse_json(place, "is not valid JSON");
  if (document.dump() != text) refuse_json(place, "is not in canonical form");
  return document;
}

std::string canonical_json(std::string_view text) {
  if (text.empty()) return "{}";
  const json document = json::parse(text.begin(), text.end(), nullptr, false);
  if (document.is_discarded()) throw std::logic_error("a record for the model is not valid JSON");
  return document.dump();
}

json number_or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

JsonFields::JsonFields(const json& object, const JsonPlace& place) : object_(object), place_(place) {
  if (!object.is_object()) refuse_json(place, "is not an object where one is expected");
}

const json& JsonFields::value(const char* key) {
  const auto found = object_.find(key);
  if (found == object_.end()) refuse_json(place_, fmt::format("lacks \"{}\"", key));
  used_.insert(key);
  return *found;
}

bool JsonFields::has(const char* key) const { return object_.contains(key); }

std::string JsonFields::string(const char* key) {
  const json& item = value(key);
  if (!item.is_string()) refuse_json(place_, fmt::format("has a \"{}\" that is not a string", key));
  return item.get<std::string>();
}

std::vector<std::string> JsonFields::strings(const char* key) {
  const json& list = value(key);
  std::vector<std::string> result;
  bool good = list.is_array();
  if (good)
    for (const json& item : list) {
      good = good && item.is_string();
      if (good) result.push_back(item.get<std::string>());
    }
  if (!good) refuse_json(place_, fmt::format("has a \"{}\" that is not a list of strings", key));
  return result;
}

bool JsonFields::flag(const char* key) {
  const json& item = value(key);
  if (!item.is_boolean()) refuse_json(place_, fmt::format("has a \"{}\" that is not true or false", key));
  return item.get<bool>();
}

std::uint64_t JsonFields::count(const char* key) {
  const json& item = value(key);
  if (!item.is_number_unsigned()) refuse_json(place_, fmt::format("has a \"{}\" that is not a count", key));
  return item.get<std::uint64_t>();
}

std::int64_t JsonFields::integer(const char* key) {
  const json& item = value(key);
  const bool fits =
      item.is_number_integer() &&
      (!item.is_number_unsigned() ||
       item.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  if (!fits) refuse_json(place_, fmt::format("has a \"{}\" that is not an integer", key));
  return item.get<std::int64_t>();
}

double JsonFields::number(const char* key) {
  return optional_number(key).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> JsonFields::optional_number(const char* key) {
  const json& item = value(key);
  if (item.is_null()) return std::nullopt;
  if (!item.is_number()) refuse_json(place_, fmt::format("has a \"{}\" that is not a number", key));
  return item.get<double>();
}

void JsonFields::finish() const {
  if (place_.unknown_keys_are_fine) return;
  for (const auto& [key, item] : object_.items())
    if (!used_.contains(key)) refuse_json(place_, fmt::format("has an unknown key {}", quote_text(key)));
}

json number_or_null(const std::optional<double>& value) {
  return value ? number_or_null(*value) : json(nullptr);
}

}  // namespace lazylogit::model
