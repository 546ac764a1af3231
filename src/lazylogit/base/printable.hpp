// Names from data as a terminal may show them: control bytes and invalid UTF-8 as \xNN, any length.
#pragma once

#include <string>
#include <string_view>

namespace lazylogit {

std::string printable(std::string_view text);
std::string printable_lines(std::string_view text);  // line ends stay

}  // namespace lazylogit
