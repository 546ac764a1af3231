// Decimal numbers of any size, exact: how labels that are numbers are compared and shown.
//
// value = ± 0.d1 d2 d3 … × 10^point, digits without leading or trailing zeros; zero has no digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lazylogit::data {

struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t point = 0;

  // Finite, and not rounded to infinity, as a double.
  bool fits_double() const;
  // The one text of this value: an integer in full unless it ends in more than 20 zeros and fits a double; a
  // fraction with its point unless it starts with more than 6 zeros; else d.ddde±x.
  std::string text() const;
};

bool operator<(const Decimal& a, const Decimal& b) noexcept;

// [+-] digits [. digits] [e [+-] digits], or [+-] . digits […]; nothing when `text` is not all of that.
std::optional<Decimal> parse_decimal(std::string_view text);

}  // namespace lazylogit::data
