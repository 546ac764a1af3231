// The options of one command: rows of several tables, each bound to the struct that it fills.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "lazylogit/config/field.hpp"

namespace lazylogit::config {

struct BoundField {
  const Field* field;  // the table outlives the set
  void* object;
  bool given = false;  // by the user
  void set(std::string_view text) const { field->set(object, text); }
  std::string text() const { return field->get(object); }
};

class OptionSet {
 public:
  // Adds the fields of the named groups, all of them when none is named. `object` outlives the set.
  template <class Options>
  void add(const Table<Options>& table, Options& object,
           std::initializer_list<std::string_view> groups = {}) {
    for (const Field& field : table.fields)
      if (groups.size() == 0 || contains(groups, field.info.group)) options_.push_back({&field, &object});
  }

  // Takes options out again that a command has no use for.
  void remove(std::initializer_list<std::string_view> names);

  const std::vector<BoundField>& options() const noexcept { return options_; }
  BoundField* find(std::string_view name) noexcept;  // by long name; nullptr: none
  BoundField* find(char letter) noexcept;
  bool given(std::string_view name) const noexcept;
  std::vector<std::string> names() const;

 private:
  static bool contains(std::initializer_list<std::string_view> list, std::string_view word) noexcept;
  std::vector<BoundField> options_;
};

// Reads arguments into the bound structs and returns the positional ones, in order.
//
//   --name value, --name=value, -o value, -ovalue, --flag, --flag=false; "--" ends the options; "-" is
//   positional.
// The word after an option that takes a value is its value, whatever it begins with. An option whose value is
// optional takes it only after "=". Lists may be repeated; anything else given twice is refused. Throws
// ConfigError.
std::vector<std::string> parse_arguments(const std::vector<std::string>& arguments, OptionSet& options);

// The fields of `object` that differ from their defaults, as one JSON object with sorted keys.
std::string non_defaults_json(const std::vector<Field>& fields, const void* object);

}  // namespace lazylogit::config
