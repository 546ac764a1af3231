// Options that every command takes.
#pragma once

#include <cstdint>
#include <string>

#include "lazylogit/config/field.hpp"

namespace lazylogit::cli {

struct GeneralOptions {
  std::uint64_t threads = 0;  // 0: the CPUs this process may use
  bool quiet = false;
  std::string log = "text";  // text | json
  bool json_errors = false;
  bool strict = false;
  bool help = false;
};

// Group "General".
const config::Table<GeneralOptions>& general_fields();

}  // namespace lazylogit::cli
