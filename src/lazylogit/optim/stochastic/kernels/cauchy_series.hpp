// The flow of the Cauchy prior as polynomials that all coefficients with one clock share.
//
// With v = (b/λ)², c = 4t/λ² (prior/cauchy.hpp), E = e^{−c} and m = 1/(1 + vE), write flow(b) = b e^{−c/2} (1 + δ).
// Then δ solves
//   δ + (½ − m) δ² + m (δ³/3 − δ⁴/4 + …) = κ (1 − m),     κ = (e^c − 1)/2,
// so that δ = Σ_j D_j(m) κ^j (1 − m)^j with polynomials D_j of degree j − 1, and for a given c
//   flow(b)/b − 1 = expm1(−c/2) + e^{−c/2} Σ_i x^i Σ_j a_ij κ^j
// is a polynomial in x = m or x = 1 − m. Its coefficients cost little beside the many classes that use them, and there
// is no iteration left. Degrees are lowered by Chebyshev's economisation: |left out| < 2^-53 for the times and
// coefficients given below.
#pragma once

#include <cstddef>

namespace lazylogit::optim {

// a[i][j] is the factor of x^i κ^{j + 1}.
template <std::size_t Degree, std::size_t Powers>
struct SharedPolynomial {
  static constexpr std::size_t degree = Degree, powers = Powers;
  double a[Degree + 1][Powers];
};

struct CauchySeries {
  static constexpr double brief_end = 0x1p-10, middle_end = 0x1p-6, long_end = 0.5;
  static constexpr double long_reach = 0.125;
  SharedPolynomial<6, 4> brief;      // c < brief_end; x = m
  SharedPolynomial<9, 7> middle;     // c < middle_end; x = m
  SharedPolynomial<10, 11> lasting;  // c < long_end and vE < long_reach; x = 1 − m
};

const CauchySeries& cauchy_series();

}  // namespace lazylogit::optim
