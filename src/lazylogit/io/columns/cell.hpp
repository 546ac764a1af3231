// What a cell of a table says: missing, a number, or text.
//
// Missing are exactly: nothing at all (or blanks), NA, NaN, null and ?, in this spelling. Blanks around a
// number or a missing value do not count (RFC 4180 keeps them, but "39, 7" is a common way to write two
// numbers); in all other text they do.
#pragma once

#include <string_view>

#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {

inline std::string_view trim_blanks(std::string_view text) noexcept {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

inline bool is_missing_cell(std::string_view text) noexcept {
  if (text.size() > 4) {
    if (text.front() != ' ' && text.back() != ' ') return false;
    text = trim_blanks(text);
  }
  if (!text.empty() && (text.front() <= ' ' || text.back() <= ' ')) text = trim_blanks(text);
  switch (text.size()) {
    case 0:
      return true;
    case 1:
      return text[0] == '?';
    case 2:
      return text == "NA";
    case 3:
      return text == "NaN";
    case 4:
      return text == "null";
    default:
      return false;
  }
}

// A number, blanks around it allowed.
inline NumberStatus parse_cell_number(std::string_view text, double& value) noexcept {
  return parse_number(trim_blanks(text), value);
}

// Text that is meant as a number but is none for us: "1,5", "1.234,5", "1,000", "inf", "nan", "-Infinity".
bool is_decimal_comma(std::string_view text) noexcept;
bool is_not_finite(std::string_view text) noexcept;
// Text that may be meant as a number, beside numbers: "1_000", "1'000.5", "0x1F".
bool is_number_elsewhere(std::string_view text) noexcept;
// The sign of per cent or of a currency that stands before or behind a number: "%" of "12.5 %", "$" of "-$1,000"; else empty.
std::string_view unit_of_number(std::string_view text) noexcept;
// "2024-01-31", "31.1.2024", "1/31/24", with or without a time of day behind it.
bool is_date(std::string_view text) noexcept;

}  // namespace lazylogit::io
