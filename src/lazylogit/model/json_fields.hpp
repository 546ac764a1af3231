// Strict reading of the small JSON documents in a model's metadata: every key is known, present once and of
// its type.
//
// Documents are canonical (sorted keys, no white space); anything else is refused. Failures are InputErrors
// that name the document and the key. Numbers that are not finite are written as null and read back as NaN.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lazylogit::model {

// How deep and how crowded JSON may be before it is parsed into a tree.
struct JsonBounds {
  int depth;
  std::uint64_t items;
};
// Offset of the first byte that exceeds the bounds, or nothing. Needs no memory.
std::optional<std::size_t> exceeds_bounds(std::string_view text, JsonBounds bounds) noexcept;

// Where a document comes from.
struct JsonPlace {
  const std::string* file;
  std::string document;        // "input", "training", …
  bool unknown_keys_are_fine;  // a newer minor version wrote the file
};

[[noreturn]] void refuse_json(const JsonPlace& place, const std::string& what);

// A canonical document, or an InputError.
nlohmann::json parse_canonical_json(std::string_view text, const JsonPlace& place);

// The same document in canonical form; `text` comes from our own code (empty: {}). Throws std::logic_error
// otherwise.
std::string canonical_json(std::string_view text);

class JsonFields {
 public:
  JsonFields(const nlohmann::json& object, const JsonPlace& place);

  const nlohmann::json& value(const char* key);
  std::string string(const char* key);
  std::vector<std::string> strings(const char* key);
  bool flag(const char* key);
  std::uint64_t count(const char* key);
  std::int64_t integer(const char* key);
  double number(const char* key);                          // null: NaN
  std::optional<double> optional_number(const char* key);  // null: nothing
  bool has(const char* key) const;

  void finish() const;  // refuses keys that nobody asked for

 private:
  const nlohmann::json& object_;
  const JsonPlace& place_;
  std::set<std::string, std::less<>> used_;
};

// A finite number, or null.
nlohmann::json number_or_null(double value);
nlohmann::json number_or_null(const std::optional<double>& value);

}  // namespace lazylogit::model
