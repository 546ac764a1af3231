// Adam (Kingma and Ba 2015): the optimizer `adam`.
//
//   m ← β₁ m + (1 − β₁) g,   v ← β₂ v + (1 − β₂) g²,   m̂ = m/(1 − β₁ᵗ),   v̂ = v/(1 − β₂ᵗ),
//   r = 1/(√v̂ + ε),   b ← b − η r m̂,   prior: flow of time r η/n
//
// Lazy form: the moments, and t, count the touches of a feature, and r rests in between (rule.hpp). The corrections
// 1 − βᵗ are kept as moments of the constant 1, which also holds while 1 − β₂ falls with the learning rate.
// The prior acts on the coefficient itself, not through the moments.
#pragma once

#include <cmath>

#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

struct Adam {
  static constexpr std::size_t per_feature = 2, per_coefficient = 2;
  static constexpr ScheduleKind schedule = ScheduleKind::inverse;
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

  static Adam from(const RuleSettings& s) {
    return {s.beta1.value_or(0.9), s.beta2.value_or(0.999), s.epsilon.value_or(1e-8)};
  }
  void begin(double* one, Pace pace) const noexcept {
    one[0] += (1 - beta1) * (1 - one[0]);
    one[1] += (1 - beta2) * pace.horizon * (1 - one[1]);
  }
  double step(double* s, const double* one, double g, Pace pace) const noexcept {
    s[0] += (1 - beta1) * (g - s[0]);
    s[1] += (1 - beta2) * pace.horizon * (g * g - s[1]);
    return -pace.rate * speed(s, one) * (s[0] / one[0]);
  }
  double speed(const double* s, const double* one) const noexcept {
    return 1 / ((one[1] > 0 ? std::sqrt(s[1] / one[1]) : 0.0) + epsilon);
  }
  double first_rate(double squared_length) const noexcept { return 0.1 / std::sqrt(squared_length); }
};

}  // namespace lazylogit::optim
