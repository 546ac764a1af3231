// Elastic net:  R(b) = l1 |b| + l2 b²/2  (no normalising constant). Either part may be 0.
//
//   flow(b, s) = sign(b) max(0, |b| e^{−l2 s} − (l1/l2)(1 − e^{−l2 s}));  reaches 0 at s* = log1p(l2 |b| /
//   l1)/l2 ∫ flow     = sign(b) ((|b| + l1/l2)(1 − e^{−l2 t})/l2 − (l1/l2) t),  t = min(s, s*)
// Written with φ(a) = (1 − e^{−a})/a, which is 1 at a = 0, so that small l2 loses no digits.
#pragma once

#include <algorithm>
#include <cmath>

namespace lazylogit::prior {

struct ElasticNet {
  static constexpr const char* name = "elastic-net";
  static constexpr bool convex = true;
  double l1 = 1;
  double l2 = 1;

  double value(double b) const noexcept { return l1 * std::abs(b) + 0.5 * l2 * b * b; }
  double normaliser() const noexcept { return 0; }
  double gradient(double b) const noexcept { return l2 * b + (b > 0 ? l1 : b < 0 ? -l1 : 0); }
  double curvature(double) const noexcept { return l2; }
  double slope() const noexcept { return l1; }
  double prox(double b, double h) const noexcept {
    return std::copysign(std::max(0.0, std::abs(b) - h * l1) / (1 + h * l2), b);
  }
  double flow(double b, double s) const noexcept {
    const double a = l2 * s;
    return std::copysign(std::max(0.0, std::abs(b) * std::exp(-a) - l1 * s * phi(a)), b);
  }
  double flow_integral(double b, double s) const noexcept {
    const double magnitude = std::abs(b);
    if (magnitude == 0) return 0;
    const double t = std::min(s, time_to_zero(magnitude));
    const double a = l2 * t;
    // (1 − φ(a))/a without cancellation: ½ − a/6 + … for small a
    const double psi = a < 1e-4 ? 0.5 - a / 6 + a * a / 24 : (1 - phi(a)) / a;
    return std::copysign(magnitude * t * phi(a) - l1 * t * t * psi, b);
  }

 private:
  static double phi(double a) noexcept { return a < 1e-300 ? 1 : -std::expm1(-a) / a; }
  double time_to_zero(double magnitude) const noexcept {
    if (l1 == 0) return HUGE_VAL;
    const double ratio = l2 * magnitude / l1;
    return ratio < 1e-300 ? magnitude / l1 : std::log1p(ratio) / ratio * (magnitude / l1);
  }
};

}  // namespace lazylogit::prior
