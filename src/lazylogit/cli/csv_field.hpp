// One field of CSV as RFC 4180 writes it: quoted where it holds a comma, a quote or a line break.
// Numbers are written with the digits that read back as the same number.
#pragma once

#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

namespace lazylogit::cli {

inline void append_csv_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

inline std::string csv_field(std::string_view text) {
  std::string out;
  append_csv_field(out, text);
  return out;
}

inline void append_number(std::string& out, double value) {
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value);
}

// Empty where it is not finite.
inline std::string csv_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

}  // namespace lazylogit::cli
