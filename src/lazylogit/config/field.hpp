// One definition per option: a row of a table that names a member of an options struct and says everything
// about it. Parser, help, man page, completions, the model's record and the reference page are all derived
// from these rows.
//
//   TableBuilder<Options> t;
//   t.group("Model");
//   t.add({.name = "variance", .value = "V", .help = "variance of the prior", .bounds = above(0)},
//   &Options::variance);
//
// The kind of an option follows from the type of its member: bool is a flag, integers and doubles are
// numbers, string is text, vector<string> a list, optional<T> a T that may be unset; `add_choice` gives names
// to the values of any type. The default shown to users is the one of a value-initialised struct.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lazylogit/config/field_info.hpp"

namespace lazylogit::config {

struct Field {
  FieldInfo info;
  Kind kind = Kind::text;
  // Parses `text` and stores it in the struct at `object`; lists are appended to. Throws ConfigError naming
  // the option.
  std::function<void(void* object, std::string_view text)> set;
  // The stored value as text that `set` accepts; empty when it is unset.
  std::function<std::string(const void* object)> get;
  std::function<void(void* object)> reset;  // stores the default
  std::string default_text;

  bool takes_value() const noexcept { return kind != Kind::flag; }
  bool value_is_optional() const noexcept { return !info.bare.empty(); }
  // What help shows after "default": the struct's value, or the sentence for an unset one; may be empty.
  std::string shown_default() const;
};

// The fields of one options struct, in the order of help.
template <class Options>
struct Table {
  std::vector<Field> fields;
};

template <class Options>
class TableBuilder {
 public:
  void group(std::string name) { group_ = std::move(name); }
  // From now on the names of options whose value is set from text, to whatever value, go to this list of the struct.
  void note_given(std::vector<std::string> Options::*list) { given_ = list; }

  // `access` is a member pointer, or a function from Options& to a reference.
  template <class Access>
  void add(FieldInfo info, Access access) {
    using Value = std::remove_cvref_t<std::invoke_result_t<Access, Options&>>;
    const FieldInfo shared = info;
    append(
        std::move(info), kind_of<Value>(shared),
        [access, shared](void* object, std::string_view text) {
          assign_value(shared, text, std::invoke(access, *static_cast<Options*>(object)));
        },
        [access, shared](const void* object) {
          return value_text(shared,
                            std::invoke(access, *const_cast<Options*>(static_cast<const Options*>(object))));
        },
        access);
  }

  // A member of any comparable type whose values have names.
  template <class Access, class Value>
  void add_choice(FieldInfo info, Access access, std::vector<std::pair<std::string, Value>> names) {
    for (const auto& [name, value] : names) info.choices.push_back(name);
    const FieldInfo shared = info;
    append(
        std::move(info), Kind::choice,
        [access, names, shared](void* object, std::string_view text) {
          check_choice(shared, text);
          for (const auto& [name, value] : names)
            if (name == text) std::invoke(access, *static_cast<Options*>(object)) = value;
        },
        [access, names](const void* object) {
          const Value& now = std::invoke(access, *const_cast<Options*>(static_cast<const Options*>(object)));
          for (const auto& [name, value] : names)
            if (value == now) return name;
          return std::string();
        },
        access);
  }

  Table<Options> build() && { return {std::move(fields_)}; }

 private:
  template <class Set, class Get, class Access>
  void append(FieldInfo info, Kind kind, Set set, Get get, Access access) {
    info.group = group_;
    const auto reset = [access](void* object) {
      Options defaults{};
      std::invoke(access, *static_cast<Options*>(object)) = std::invoke(access, defaults);
    };
    const Options defaults{};
    std::function<void(void*, std::string_view)> store = set;
    if (given_ != nullptr)
      store = [set, list = given_, name = info.name](void* object, std::string_view text) {
        set(object, text);
        (static_cast<Options*>(object)->*list).push_back(name);
      };
    fields_.push_back({std::move(info), kind, std::move(store), get, reset, get(&defaults)});
  }

  std::vector<std::string> Options::*given_ = nullptr;
  std::string group_;
  std::vector<Field> fields_;
};

}  // namespace lazylogit::config
