// How far a step of learning moves the margin of an example, when the step is taken as a flow instead of one jump.
//
// With m the margin of the label (log p/(1 − p)), the gradient of the loss moves it at the speed σ(−m): a jump of length h
// along the gradient at the start overshoots where h is large. Followed along the way (Karampatziakis and Langford 2011),
//   dm/dτ = 1/(1 + e^m)   gives   m₁ + e^{m₁} = m₀ + e^{m₀} + h,
// which rises with h, never faster than the jump, and treats a weight of 2 as two equal examples.
#pragma once

#include <cmath>

namespace lazylogit::optim {

// m₁ − m₀ ≥ 0, for h ≥ 0. To a relative 1e-12 or so; 0 for h = 0.
inline double margin_flow(double m, double h) noexcept {
  if (!(h > 0)) return 0;
  if (m > 30) return std::log1p(h * std::exp(-m));  // d is nothing beside e^m (e^d − 1)
  // Solve for d = m₁ − m₀:  f(d) = d + e^m (e^d − 1) − h = 0, increasing and convex. Newton's steps from the right of
  // the root, where both the jump and log(1 + h e^{−m}) lie, stay there.
  const double e = std::exp(m);
  // The root with e^d − 1 cut after d²/2 is one of these places, and near where h is small.
  double d = 2 * h / (1 + e + std::sqrt((1 + e) * (1 + e) + 2 * e * h));
  if (h > e) d = std::fmin(d, std::log(h + e) - m);
  for (int i = 0; i < 20; ++i) {
    const double gained = d > 1 ? std::exp(m + d) - e : e * std::expm1(d);
    const double step = (d + gained - h) / (1 + e + gained);
    d -= step;
    if (!(std::abs(step) > 1e-7 * d)) break;  // what is left is less than half its square
  }
  return d > 0 ? d : 0;
}

}  // namespace lazylogit::optim
