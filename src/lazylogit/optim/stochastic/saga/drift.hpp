// Where a coefficient is after time s of db/ds = −(g + R'(b)): a constant pull g together with the prior.
//
// The convex priors have R(b) = l₁|b| + l₂b²/2. On one side of 0 the path is an exponential (a line for l₂ = 0); it
// stops at 0 while |g| ≤ l₁, so exact zeros appear, and else goes on beyond. Closed form, and it composes:
// drift(drift(b, s), t) = drift(b, s + t). Under Cauchy there is no closed form: a few exponential steps, each exact for the
// parabola that touches R at b, which rest exactly where g + R'(b) = 0 and never overshoot the mode, however long s is.
#pragma once

#include <algorithm>
#include <cmath>

#include "lazylogit/prior/cauchy.hpp"
#include "lazylogit/prior/prior.hpp"

namespace lazylogit::optim {

namespace drift_detail {

// (1 − e^{−ks})/k, also for k = 0.
inline double reach(double k, double s) noexcept { return k * s < 1e-14 ? s : -std::expm1(-k * s) / k; }

}  // namespace drift_detail

inline double elastic_drift(double l1, double l2, double b, double g, double s) noexcept {
  using drift_detail::reach;
  if (b != 0) {
    const double side = std::copysign(1.0, b), pull = g + side * l1;  // db/ds = −pull − l2 b
    const double towards = side * pull;
    const double size = std::abs(b);
    double arrival = HUGE_VAL;  // at 0
    if (towards > 0) {
      const double x = l2 * size / towards;
      arrival = x < 1e-14 ? size / towards : std::log1p(x) / l2;
    }
    if (arrival >= s) {
      const double after = b - (pull + l2 * b) * reach(l2, s);
      return side * after > 0 ? after : 0.0;
    }
    s -= arrival;
  }
  if (std::abs(g) <= l1) return 0;
  return -(g - std::copysign(l1, g)) * reach(l2, s);
}

template <prior::Prior P>
double drift(const P& p, double b, double g, double s) noexcept {
  return elastic_drift(p.slope(), p.curvature(0), b, g, s);
}

inline double drift(const prior::Cauchy& p, double b, double g, double s) noexcept {
  const double steps = std::clamp(std::ceil(16 * p.inverse_square * s), 1.0, 64.0);
  const double h = s / steps, q = p.inverse_square;
  for (double k = 0; k < steps; ++k)
    b -= (g + p.gradient(b)) * drift_detail::reach(2 * q / (1 + q * b * b), h);
  return b;
}

}  // namespace lazylogit::optim
