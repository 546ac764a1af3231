// AdaMax, Adam with the largest gradient instead of their mean square (Kingma and Ba 2015): the optimizer `adamax`.
//
//   m ← β₁ m + (1 − β₁) g,   u ← max(β₂ u, |g|),   r = 1/(u + ε),   b ← b − η r m/(1 − β₁ᵗ),
//   prior: flow of time r η/n
//
// Lazy form: m, u and t count the touches of a feature, and r rests in between (rule.hpp). 1 − β₂ falls with the
// learning rate.
#pragma once

#include <algorithm>
#include <cmath>

#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

struct AdaMax {
  static constexpr std::size_t per_feature = 1, per_coefficient = 2;
  static constexpr ScheduleKind schedule = ScheduleKind::inverse;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

  static AdaMax from(const RuleSettings& s) {
    return {s.beta1.value_or(0.9), s.beta2.value_or(0.999), s.epsilon.value_or(1e-8)};
  }
  void begin(double* one, Pace) const noexcept { one[0] += (1 - beta1) * (1 - one[0]); }
  double step(double* s, const double* one, double g, Pace pace) const noexcept {
    s[0] += (1 - beta1) * (g - s[0]);
    s[1] = std::max((1 - (1 - beta2) * pace.horizon) * s[1], std::abs(g));
    return -pace.rate * speed(s, one) * (s[0] / one[0]);
  }
  double speed(const double* s, const double*) const noexcept { return 1 / (s[1] + epsilon); }
  double first_rate(double squared_length) const noexcept { return 0.1 / std::sqrt(squared_length); }
};

}  // namespace lazylogit::optim
