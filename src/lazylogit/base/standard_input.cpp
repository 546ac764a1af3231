#include "lazylogit/base/standard_input.hpp"

#include <algorithm>

#include "lazylogit/base/error.hpp"

namespace lazylogit {

bool is_standard_input(const std::string& path) noexcept {
  return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0";
}

std::string input_name(const std::string& path) { return path == "-" ? "<stdin>" : path; }

void refuse_standard_input_twice(const std::vector<std::string>& inputs, const std::string& option) {
  if (std::count_if(inputs.begin(), inputs.end(), is_standard_input) > 1)
    throw ConfigError("standard input (-) is named twice, expected it once", option);
}

}  // namespace lazylogit
