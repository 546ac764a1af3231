// Gaussian prior of variance σ²:  R(b) = b²/(2σ²).  Held as the precision 1/σ², so that 0 means uniform.
//
//   flow(b, s) = b e^{−s/σ²}
//   ∫ flow     = b σ² (1 − e^{−s/σ²})
#pragma once

#include <cmath>
#include <numbers>

namespace lazylogit::prior {

struct Gaussian {
  static constexpr const char* name = "gaussian";
  static constexpr bool convex = true;
  double precision = 1;

  static Gaussian from_variance(double variance) noexcept { return {1 / variance}; }  // variance in (0, ∞]

  double value(double b) const noexcept { return 0.5 * precision * b * b; }
  double normaliser() const noexcept {
    return precision > 0 ? 0.5 * std::log(2 * std::numbers::pi / precision) : 0;
  }
  double gradient(double b) const noexcept { return precision * b; }
  double curvature(double) const noexcept { return precision; }
  double slope() const noexcept { return 0; }
  double prox(double b, double h) const noexcept { return b / (1 + h * precision); }
  double flow(double b, double s) const noexcept { return b * std::exp(-s * precision); }
  double flow_integral(double b, double s) const noexcept {
    const double a = s * precision;
    return a < 1e-300 ? b * s : b * s * (-std::expm1(-a) / a);
  }
};

}  // namespace lazylogit::prior
