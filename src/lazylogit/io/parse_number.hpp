// Decimal numbers from text, in the C locale whatever the environment says.
//
// Grammar: [+-] digits [. digits] [(e|E) [+-] digits], or [+-] . digits [...]; at least one digit in the
// mantissa. nan, inf, hex floats, separators and decimal commas are no numbers. Correctly rounded for any
// number of digits; overflow is its own result, underflow gives zero. The scanners read up to 16 bytes ahead:
// text must be followed by readable bytes (TextBlock pads by 64); parse_number copies where that is not
// known.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace lazylogit::io {

enum class NumberStatus {
  ok,
  malformed,  // not a number by the grammar
  overflow,   // a number beyond the range of a double
};

// The whole of `token` as a double.
NumberStatus parse_number(std::string_view token, double& value) noexcept;

// A non-negative decimal integer, whole token, digits only; overflow when above `max`.
NumberStatus parse_integer(std::string_view token, std::uint64_t max, std::uint64_t& value) noexcept;

// --- scanners: read the longest number at `p`, return where it ends

namespace number {

inline std::uint64_t load8(const char* p) noexcept {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

// How many of the eight bytes, from the lowest, are digits before the first other one.
inline unsigned leading_digits(std::uint64_t word) noexcept {
  const std::uint64_t t = word ^ 0x3030303030303030ULL;
  const std::uint64_t other = ((t + 0x7676767676767676ULL) | t) & 0x8080808080808080ULL;
  return other == 0 ? 8 : static_cast<unsigned>(__builtin_ctzll(other)) >> 3;
}

// The value of eight digit characters, the first one in the lowest byte.
inline std::uint32_t eight_digits(std::uint64_t word) noexcept {
  word -= 0x3030303030303030ULL;
  word = word * 10 + (word >> 8);
  return static_cast<std::uint32_t>((((word & 0x000000FF000000FFULL) * 0x000F424000000064ULL) +
                                     (((word >> 16) & 0x000000FF000000FFULL) * 0x0000271000000001ULL)) >>
                                    32);
}

// The value of the first `count` (1..8) digit characters of `word`.
inline std::uint32_t few_digits(std::uint64_t word, unsigned count) noexcept {
  return eight_digits(count == 8 ? word
                                 : (word << (8 * (8 - count))) | (0x3030303030303030ULL >> (8 * count)));
}

// Every number the fast path does not take; `p` is its first byte, `end` the end of the text.
const char* scan_slowly(const char* p, const char* end, double& value, NumberStatus& status) noexcept;

inline constexpr double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

}  // namespace number

// Reads the number at `p`; returns its end, or `p` itself with status malformed when there is none.
// A token such as "1e" or "1.2.3" ends where the grammar ends: callers check the byte that follows.
inline const char* scan_number(const char* p, const char* end, double& value, NumberStatus& status) noexcept {
  // Fast path: [-] up to 8 digits [. up to 8 digits], no exponent. Mantissa below 2^53 and a power of ten
  // below 10^22 are exact, so one division rounds correctly.
  const char* q = p + (*p == '-' ? 1 : 0);
  std::uint64_t word = number::load8(q);
  const unsigned whole = number::leading_digits(word);
  if (whole >= 1 && whole < 8) {
    std::uint64_t mantissa = number::few_digits(word, whole);
    const char* r = q + whole;
    unsigned fraction = 0;
    if (*r == '.') {
      word = number::load8(r + 1);
      fraction = number::leading_digits(word);
      if (fraction == 0 || fraction == 8) return number::scan_slowly(p, end, value, status);
      mantissa = mantissa * static_cast<std::uint64_t>(number::power_of_ten[fraction]) +
                 number::few_digits(word, fraction);
      r += 1 + fraction;
    }
    if ((*r | 0x20) != 'e' && r <= end) {
      const double magnitude = static_cast<double>(mantissa) / number::power_of_ten[fraction];
      value = *p == '-' ? -magnitude : magnitude;
      status = NumberStatus::ok;
      return r;
    }
  }
  return number::scan_slowly(p, end, value, status);
}

}  // namespace lazylogit::io
