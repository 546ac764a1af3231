// AdaDelta (Zeiler 2012): the optimizer `adadelta`. Steps in the units of the coefficient, without a learning rate to
// guess; the one there is, usually near 1, makes it settle.
//
//   E ← ρ E + (1 − ρ) g²,   r = √(D + ε)/√(E + ε),   δ = −r g,   D ← ρ D + (1 − ρ) δ²,   b ← b + η δ,
//   prior: flow of time r η/n
//
// Lazy form: E and D count the touches of their coefficient and r rests in between (rule.hpp). 1 − ρ falls with the
// learning rate.
#pragma once

#include <cmath>

#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

struct AdaDelta {
  static constexpr std::size_t per_feature = 0, per_coefficient = 3;  // E, D, r
  static constexpr ScheduleKind schedule = ScheduleKind::inverse;
  double rho = 0.95, epsilon = 1e-6;

  static AdaDelta from(const RuleSettings& s) { return {s.rho.value_or(0.95), s.epsilon.value_or(1e-6)}; }
  void begin(double*, Pace) const noexcept {}
  double step(double* s, const double*, double g, Pace pace) const noexcept {
    const double fresh = (1 - rho) * pace.horizon;
    s[0] += fresh * (g * g - s[0]);
    s[2] = std::sqrt((s[1] + epsilon) / (s[0] + epsilon));
    const double delta = -s[2] * g;
    s[1] += fresh * (delta * delta - s[1]);
    return pace.rate * delta;
  }
  double speed(const double* s, const double*) const noexcept { return s[2] > 0 ? s[2] : 1; }
  double first_rate(double) const noexcept { return 1; }
};

}  // namespace lazylogit::optim
