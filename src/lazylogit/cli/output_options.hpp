// Where a command's result goes, checked before any work.
#pragma once

#include <string>
#include <vector>

#include "lazylogit/config/field.hpp"

namespace lazylogit::cli {

struct OutputOptions {
  std::string output;
};

// Group "Output": -o, --out FILE. `what` names the file in help.
config::Table<OutputOptions> output_fields(const std::string& what, const std::string& unset);

// Usage errors about an output that would replace an input, through links too. `inputs` as typed, globs
// expanded.
void check_output(const std::string& output, const std::vector<std::string>& inputs);

}  // namespace lazylogit::cli
