// Laplace prior of variance σ²:  R(b) = (√2/σ)|b|.  Held as the slope l = √2/σ, so that 0 means uniform.
//
//   flow(b, s) = sign(b) max(0, |b| − l s)          (it stops at zero: clipping is not a special case)
//   ∫ flow     = sign(b) (|b| t − l t²/2),  t = min(s, |b|/l)
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace lazylogit::prior {

struct Laplace {
  static constexpr const char* name = "laplace";
  static constexpr bool convex = true;
  double l1 = std::numbers::sqrt2;

  static Laplace from_variance(double variance) noexcept {
    return {std::numbers::sqrt2 / std::sqrt(variance)};
  }

  double value(double b) const noexcept { return l1 * std::abs(b); }
  double normaliser() const noexcept { return l1 > 0 ? -std::log(0.5 * l1) : 0; }
  double gradient(double b) const noexcept { return b > 0 ? l1 : b < 0 ? -l1 : 0; }
  double curvature(double) const noexcept { return 0; }
  double slope() const noexcept { return l1; }
  double prox(double b, double h) const noexcept { return flow(b, h); }
  double flow(double b, double s) const noexcept {
    return std::copysign(std::max(0.0, std::abs(b) - l1 * s), b);
  }
  double flow_integral(double b, double s) const noexcept {
    const double magnitude = std::abs(b);
    const double t = l1 * s < magnitude ? s : magnitude / l1;
    return magnitude == 0 ? 0 : std::copysign(t * (magnitude - 0.5 * l1 * t), b);
  }
};

}  // namespace lazylogit::prior
