// Numbers of known length, up to eight characters: no waiting for where they end, and nothing to guess.
#pragma once

#include "lazylogit/io/parse_number.hpp"

namespace lazylogit::io {

// [-] up to eight digits and at most one point, as a double, exactly as parse_number would; false for everything
// else, which may still be a number. Eight bytes from `p + 1` on must be readable.
inline bool read_short_number(const char* p, std::size_t size, double& value) noexcept {
  constexpr std::uint64_t ones = 0x0101010101010101ULL, highs = 0x8080808080808080ULL;
  const std::size_t negative = *p == '-' ? 1 : 0;
  size -= negative;
  if (size - 1 > 7) return false;  // nothing, or too much
  const std::uint64_t text = number::load8(p + negative) << (8 * (8 - size)) >> (8 * (8 - size));
  const std::uint64_t at_point = text ^ (ones * '.');
  const std::uint64_t found = (at_point - ones) & ~at_point & highs;
  // Takes the point out: what follows it moves down by one.
  const unsigned point = found == 0 ? 63 : static_cast<unsigned>(std::countr_zero(found)) & ~7U;
  const std::uint64_t before = (std::uint64_t{1} << point) - 1;
  const std::uint64_t joined = found == 0 ? text : (text & before) | ((text >> 8) & ~before);
  const std::size_t digits = size - (found == 0 ? 0 : 1);
  if (digits == 0) return false;
  const std::uint64_t t = (joined ^ (ones * '0')) << (8 * (8 - digits));
  if ((((t + ones * 0x76) | t) & highs) != 0) return false;  // a byte that is no digit
  const std::uint64_t pairs = t * 10 + (t >> 8);
  const auto mantissa =
      static_cast<std::uint32_t>((((pairs & 0x000000FF000000FFULL) * 0x000F424000000064ULL) +
                                  (((pairs >> 16) & 0x000000FF000000FFULL) * 0x0000271000000001ULL)) >>
                                 32);
  const std::size_t fraction = found == 0 ? 0 : size - 1 - point / 8;
  const double magnitude = static_cast<double>(mantissa) / number::power_of_ten[fraction];
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude) | std::uint64_t{negative} << 63);
  return true;
}

}  // namespace lazylogit::io
