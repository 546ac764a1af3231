// AdaGrad, a rate for each coefficient (Duchi, Hazan and Singer 2011): the optimizer `adagrad`.
//
//   G ← G + g²,   r = 1/(ε + √G),   b ← b − η r g,   prior: flow of time r η/n
//
// G gathers gradients of the likelihood alone, so it rests while no example touches the coefficient and the flow for
// r Σ η_t/n is the exact lazy form of the dense rule, averages included. A learning rate that falls by itself:
// η need not.
#pragma once

#include <cmath>

#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

struct AdaGrad {
  static constexpr std::size_t per_feature = 0, per_coefficient = 1;
  static constexpr ScheduleKind schedule = ScheduleKind::constant;
  double epsilon = 1e-8;

  static AdaGrad from(const RuleSettings& s) { return {s.epsilon.value_or(1e-8)}; }
  void begin(double*, Pace) const noexcept {}
  double step(double* sum, const double* f, double g, Pace pace) const noexcept {
    sum[0] += g * g;
    return -pace.rate * speed(sum, f) * g;
  }
  double speed(const double* sum, const double*) const noexcept { return 1 / (epsilon + std::sqrt(sum[0])); }
  double first_rate(double squared_length) const noexcept { return 1 / std::sqrt(squared_length); }
};

}  // namespace lazylogit::optim
