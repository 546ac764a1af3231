// Options that every command takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazylogit/config/field.hpp"

namespace lazylogit::cli {

struct GeneralOptions {
  std::uint64_t threads = 0;  // 0: the CPUs this process may use
  bool quiet = false;
  std::string log = "text";  // text | json: the form of messages
  // Where a command takes columns under the same name: every other value of --log; null: it takes none.
  std::vector<std::string>* log_columns = nullptr;
  bool json_errors = false;
  bool strict = false;
  bool help = false;
};

// Group "General". Of a command that derives features from columns, --log names columns too.
const config::Table<GeneralOptions>& general_fields();
const config::Table<GeneralOptions>& general_fields_with_columns();

}  // namespace lazylogit::cli
