// One option of the program by its name, from Python's keywords.
#pragma once

#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/field.hpp"

namespace lazylogit::python {

// Sets the option and gives its row of the table. Throws ConfigError for a name that is none and a value that is not
// accepted.
template <class Options>
const config::Field& set_option(const config::Table<Options>& table, const std::string& name,
                                const std::string& text, Options& options) {
  for (const config::Field& field : table.fields) {
    if (field.info.name != name) continue;
    field.set(&options, text);
    return field;
  }
  throw ConfigError("there is no such option", name);
}

}  // namespace lazylogit::python
