// The flow of the Cauchy prior as polynomials whose coefficients depend on the elapsed time alone, so that all
// coefficients with one clock share them.
//
// With v = (b/λ)², c = 4t/λ² (prior/cauchy.hpp) and m = 1/(1 + v),
//   flow(b)/b − 1 = Σ_{i≥1} m^i Σ_{j≥1} a_ij c^j        for any v while c is small: an entire function of m as c → 0,
//                 = Σ_{i≥0} v^i Σ_{j≥0} a_ij u^j        for small v and any c of a stretch, u its place in it:
// no iteration is left, and in the second form no division either. The polynomials interpolate at Chebyshev's
// points; what they leave out is below 2^-53 for the times and coefficients given here.
#pragma once

#include <cstddef>

namespace lazylogit::optim {

struct CauchySeries {
  // a[j][i]: factor of m^{i+1} c^{j+1}, for c < end. Zeros fill the last vector of a row.
  template <std::size_t Terms, std::size_t Powers>
  struct AnyCoefficient {
    static constexpr std::size_t terms = Terms, powers = Powers, padded = (Terms + 7) / 8 * 8;
    alignas(64) double a[Powers][padded];
  };
  static constexpr double brief_end = 0x1p-11, middle_end = 0x1.8p-8, long_end = 0x1p-5;
  AnyCoefficient<5, 3> brief;
  AnyCoefficient<8, 4> middle;
  static constexpr std::size_t most_terms = 11;
  AnyCoefficient<most_terms, 8> lasting;

  // a[s][j][i]: factor of v^i u^j, where u = 16 c − s − 1/2, for v < small_reach and c < small_end.
  static constexpr double small_reach = 0x1p-4, small_end = 1, stretches_per_unit = 16;
  static constexpr std::size_t small_terms = 8, small_powers = 7;
  static constexpr auto stretches = static_cast<std::size_t>(small_end * stretches_per_unit);
  alignas(64) double small[stretches][small_powers][small_terms];
};

const CauchySeries& cauchy_series();

}  // namespace lazylogit::optim
