// A line of a summary: what it is about, then the text from the 14th column on.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace lazylogit::cli {

inline std::string summary_line(std::string_view name, const std::string& text) {
  return fmt::format("{:<12} {}\n", name, text);
}

}  // namespace lazylogit::cli
