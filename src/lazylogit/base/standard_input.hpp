// Standard input by its name: "-" wherever a file is read. It can be read once, so only one input of a run may be it.
#pragma once

#include <string>
#include <vector>

namespace lazylogit {

bool is_standard_input(const std::string& path) noexcept;  // "-", /dev/stdin, /dev/fd/0
std::string input_name(const std::string& path);           // for messages: "<stdin>" for "-", else as it is
// ConfigError where more than one of the names is standard input; `option` is the one at fault, or "".
void refuse_standard_input_twice(const std::vector<std::string>& inputs, const std::string& option = "");

}  // namespace lazylogit
