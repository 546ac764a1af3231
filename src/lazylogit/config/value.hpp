// The text of an option's value and the value itself: one pair of functions per type.
//
// `parse` takes the whole text or gives the sentence that says what was expected; `format` writes text that
// `parse` reads back to the same value. Numbers are decimal in the C locale; integers have no fraction,
// exponent or wrap-around; reals are finite. Byte sizes take a suffix K, M, G or T (powers of 1024, an
// optional "iB" or "B" after it).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lazylogit::config {

struct Bounds {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;  // min itself is not allowed
  bool open_max = false;
  bool contains(double value) const noexcept {
    return (open_min ? value > min : value >= min) && (open_max ? value < max : value <= max);
  }
};

constexpr Bounds at_least(double min) { return {.min = min}; }
constexpr Bounds above(double min) { return {.min = min, .open_min = true}; }
constexpr Bounds between(double min, double max) { return {.min = min, .max = max}; }

// "a number above 0", "an integer from 1 to 30"; `noun` is "a number" or "an integer".
std::string describe(const Bounds& bounds, std::string_view noun);

// Nothing when the text is no such number at all; bounds are the caller's to check.
std::optional<double> parse_real(std::string_view text);
bool names_infinity(std::string_view text);  // "inf", "-infinity"
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<std::uint64_t> parse_count(std::string_view text);
std::optional<std::uint64_t> parse_bytes(std::string_view text);
std::optional<bool> parse_bool(std::string_view text);

std::string format_real(double value);          // shortest text that reads back to the same double
std::string format_bytes(std::uint64_t bytes);  // "256M" where that is exact, else the plain number

// "a,b\,c" <-> {"a", "b,c"}: a comma inside a name is written \, and a backslash \\.
std::vector<std::string> parse_list(std::string_view text);
std::string format_list(const std::vector<std::string>& items);

}  // namespace lazylogit::config
