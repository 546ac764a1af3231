// Cauchy prior of scale λ:  R(b) = ln(1 + (b/λ)²).  Held as 1/λ², so that 0 means uniform. Not convex for |b|
// > λ.
//
// flow: with v = (b/λ)² and c = 4s/λ²,  v + ln v falls by c. Solved for the log ratio y = ln(v₀/v) ≥ 0 of
//   f(y) = y − v₀ expm1(−y) − c = 0,     flow(b, s) = b e^{−y/2},
// which neither overflows nor cancels; f is increasing and concave with its root in [c/(1+v₀), c].
//   ∫ flow = ½ (b₀ − b)((b₀² + b₀b + b²)/3 + λ²)
// Conditioning: from |b|/λ = 10⁵ down to 1 at most 6 digits can be lost, whatever the method.
#pragma once

#include <cmath>
#include <numbers>

namespace lazylogit::prior {

// The root y of y − v0·expm1(−y) = c, for v0 ≥ 0 and c ≥ 0.
double cauchy_log_ratio(double v0, double c) noexcept;

struct Cauchy {
  static constexpr const char* name = "cauchy";
  static constexpr bool convex = false;
  double inverse_square = 1;  // 1/λ²

  static Cauchy from_scale(double scale) noexcept { return {1 / (scale * scale)}; }

  double value(double b) const noexcept { return std::log1p(inverse_square * b * b); }
  double normaliser() const noexcept {
    return inverse_square > 0 ? std::log(std::numbers::pi) - 0.5 * std::log(inverse_square) : 0;
  }
  double gradient(double b) const noexcept { return 2 * inverse_square * b / (1 + inverse_square * b * b); }
  double curvature(double b) const noexcept {
    const double v = inverse_square * b * b;
    return 2 * inverse_square * (1 - v) / ((1 + v) * (1 + v));
  }
  double slope() const noexcept { return 0; }
  double prox(double b, double h) const noexcept;
  double flow(double b, double s) const noexcept {
    return b * std::exp(-0.5 * cauchy_log_ratio(inverse_square * b * b, 4 * s * inverse_square));
  }
  double flow_integral(double b, double s) const noexcept;
};

}  // namespace lazylogit::prior
