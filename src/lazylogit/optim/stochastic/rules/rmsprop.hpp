// RMSProp (Tieleman and Hinton 2012): the optimizer `rmsprop`.
//
//   E ← ρ E + (1 − ρ) g²,   r = 1/(√E + ε),   b ← b − η r g,   prior: flow of time r η/n
//
// Lazy form: E counts the touches of its coefficient and r rests in between (rule.hpp); a textbook E that fades at every
// example has no closed form for the prior's path. 1 − ρ falls with the learning rate.
#pragma once

#include <cmath>

#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

struct RmsProp {
  static constexpr std::size_t per_feature = 0, per_coefficient = 1;
  static constexpr ScheduleKind schedule = ScheduleKind::inverse;
  double rho = 0.9, epsilon = 1e-8;

  static RmsProp from(const RuleSettings& s) { return {s.rho.value_or(0.9), s.epsilon.value_or(1e-8)}; }
  void begin(double*, Pace) const noexcept {}
  double step(double* square, const double* f, double g, Pace pace) const noexcept {
    square[0] += (1 - rho) * pace.horizon * (g * g - square[0]);
    return -pace.rate * speed(square, f) * g;
  }
  double speed(const double* square, const double*) const noexcept {
    return 1 / (std::sqrt(square[0]) + epsilon);
  }
  double first_rate(double squared_length) const noexcept { return 0.1 / std::sqrt(squared_length); }
};

}  // namespace lazylogit::optim
