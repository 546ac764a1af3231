// exp and log1p on the ranges that probabilities need, written so that loops over them become vector code.
//
//   exp_nonpositive(x) = exp(x)      for x ≤ 0: 1 at 0, gradual underflow to 0 below about −745
//   log1p_unit(e)      = ln(1 + e)   for 0 ≤ e ≤ 1
//
// Both are within 2 units in the last place (exp: 1), branch-free, pass NaN on, and give the same bits on
// every instruction set (no contraction, fixed order of operations).
#pragma once

#include <bit>
#include <cstdint>

namespace lazylogit::math {

inline double exp_nonpositive(double x) noexcept {
  constexpr double log2e = 1.4426950408889634074, ln2_high = 6.93147180369123816490e-01,
                   ln2_low = 1.90821492927058770002e-10, shifter = 6755399441055744.0;  // 1.5 * 2^52
  x = x < -760.0 ? -760.0 : x;
  const double shifted = x * log2e + shifter;  // the low bits of `shifted` hold round(x / ln 2)
  const double k = shifted - shifter;
  const double r = (x - k * ln2_high) - k * ln2_low;  // |r| ≤ ln(2)/2
  double p = 1.0 / 6227020800;                        // the Taylor series to r^13: truncation below 5e-18
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * (r * r) + r + 1.0;
  // 2^(k + 100) is a normal number for every k; the last factor brings subnormal results about.
  const std::uint64_t bits = (std::bit_cast<std::uint64_t>(shifted) + 1023 + 100) << 52;
  return p * std::bit_cast<double>(bits) * 0x1p-100;
}

inline double log1p_unit(double e) noexcept {
  // ln(1 + e) = 2 atanh(z), z = e/(2 + e); above √2 − 1 halve first: ln(1 + e) = ln 2 + ln((1 + e)/2).
  const bool halve = e > 0.41421356237309505;
  const double f = halve ? (e - 1.0) * 0.5 : e;
  const double z = f / (2.0 + f);
  const double s = z * z;  // ≤ 0.0295
  double p = 1.0 / 23;
  p = p * s + 1.0 / 21;
  p = p * s + 1.0 / 19;
  p = p * s + 1.0 / 17;
  p = p * s + 1.0 / 15;
  p = p * s + 1.0 / 13;
  p = p * s + 1.0 / 11;
  p = p * s + 1.0 / 9;
  p = p * s + 1.0 / 7;
  p = p * s + 1.0 / 5;
  p = p * s + 1.0 / 3;
  const double twice = 2.0 * z;
  return (halve ? 0.69314718055994530942 : 0.0) + (twice + twice * (s * p));
}

}  // namespace lazylogit::math
