// Stochastic gradient descent with momentum: the optimizer `momentum`.
//
//   v ← μ v + g,   b ← b − η v,   prior: flow of time η/(n (1 − μ))
//
// A gradient ends up moving its coefficient by η/(1 − μ) in all, so the prior acts at that speed. The textbook rule moves
// every coefficient by its velocity at every example, for which there is no closed form under a prior. Here a
// velocity moves its coefficient, and fades, when an example touches it: the same fixed point and, for data without zeros,
// the same steps.
#pragma once

#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

struct Momentum {
  static constexpr std::size_t per_feature = 0, per_coefficient = 1;
  static constexpr ScheduleKind schedule = ScheduleKind::inverse;
  double momentum = 0.9;

  static Momentum from(const RuleSettings& s) { return {s.momentum.value_or(0.9)}; }
  void begin(double*, Pace) const noexcept {}
  double step(double* v, const double*, double g, Pace pace) const noexcept {
    v[0] = momentum * v[0] + g;
    return -pace.rate * v[0];
  }
  double speed(const double*, const double*) const noexcept { return 1 / (1 - momentum); }
  double first_rate(double squared_length) const noexcept { return (1 - momentum) / squared_length; }
};

}  // namespace lazylogit::optim
