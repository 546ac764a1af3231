// Decimal numbers from text, in the C locale whatever the environment says.
//
// Grammar: [+-] digits [. digits] [(e|E) [+-] digits], or [+-] . digits [...]; at least one digit in the
// mantissa. nan, inf, hex floats, separators and decimal commas are no numbers. Correctly rounded for any
// number of digits; overflow is its own result, underflow gives zero. The scanners read up to 16 bytes ahead:
// text must be followed by readable bytes (TextBlock pads by 64); parse_number copies where that is not
// known.
#pragma once

#include <bit>
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

// Digits at the start of eight bytes: how many (0..8) before the first other byte, and their value.
struct Digits {
  unsigned count;
  std::uint32_t value;  // means nothing when count is 0
};

inline Digits leading_digits(std::uint64_t word) noexcept {
  const std::uint64_t t = word ^ 0x3030303030303030ULL;  // a digit becomes its value
  const std::uint64_t other = ((t + 0x7676767676767676ULL) | t) & 0x8080808080808080ULL;
  const unsigned count = static_cast<unsigned>(std::countr_zero(other)) >> 3;
  // Moves the digits to the upper end, zeros before them, and adds up pairs, fours, eights.
  const std::uint64_t digits = t << ((64 - 8 * count) & 63);
  const std::uint64_t pairs = digits * 10 + (digits >> 8);
  return {count,
          static_cast<std::uint32_t>((((pairs & 0x000000FF000000FFULL) * 0x000F424000000064ULL) +
                                      (((pairs >> 16) & 0x000000FF000000FFULL) * 0x0000271000000001ULL)) >>
                                     32)};
}

// Every number the fast path does not take; `p` is its first byte, `end` the end of the text.
const char* scan_slowly(const char* p, const char* end, double& value, NumberStatus& status) noexcept;

inline constexpr double power_of_ten[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
inline constexpr std::uint64_t integer_power[] = {1,      10,      100,      1000,     10000,
                                                  100000, 1000000, 10000000, 100000000};

}  // namespace number

// Reads the number at `p`; returns its end, or `p` itself with status malformed when there is none.
// A token such as "1e" or "1.2.3" ends where the grammar ends: callers check the byte that follows.
inline const char* scan_number(const char* p, const char* end, double& value, NumberStatus& status) noexcept {
  // Fast path: [-] up to 7 digits [. up to 8 digits], no exponent. A mantissa below 2^53 and a power of ten
  // below 10^22 are exact, so one division rounds correctly. Longer runs of digits fall through: the byte
  // after a full word of digits is then a digit, which is looked at below.
  const std::uint64_t sign = std::uint64_t{*p == '-'} << 63;
  const char* q = p + (sign >> 63);
  std::uint64_t mantissa = static_cast<unsigned char>(*q - '0');
  unsigned whole = 1;
  // "d." is so common that looking for it pays: the next load then waits for nothing.
  if (q[1] != '.' || mantissa > 9) {
    const number::Digits digits = number::leading_digits(number::load8(q));
    mantissa = digits.value;
    whole = digits.count;
  }
  if (whole - 1 < 7) {
    double scale = 1;
    q += whole;
    if (*q == '.') {
      const number::Digits fraction = number::leading_digits(number::load8(q + 1));
      if (fraction.count > 0) mantissa = mantissa * number::integer_power[fraction.count] + fraction.value;
      scale = number::power_of_ten[fraction.count];
      q += 1 + fraction.count;
    }
    const auto next = static_cast<unsigned char>(*q);
    if ((next | 0x20) != 'e' && static_cast<unsigned char>(next - '0') > 9 && q <= end) {
      const double magnitude = static_cast<double>(mantissa) / scale;
      value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | sign);
      status = NumberStatus::ok;
      return q;
    }
  }
  // Own variables: the callers' may then live in registers.
  double slow_value = 0;
  NumberStatus slow_status = NumberStatus::malformed;
  const char* const stop = number::scan_slowly(p, end, slow_value, slow_status);
  value = slow_value;
  status = slow_status;
  return stop;
}

}  // namespace lazylogit::io
