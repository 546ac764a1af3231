// The list of update rules.
#pragma once

#include <variant>

#include "lazylogit/optim/stochastic/rules/adadelta.hpp"
#include "lazylogit/optim/stochastic/rules/adagrad.hpp"
#include "lazylogit/optim/stochastic/rules/adam.hpp"
#include "lazylogit/optim/stochastic/rules/adamax.hpp"
#include "lazylogit/optim/stochastic/rules/ftrl.hpp"
#include "lazylogit/optim/stochastic/rules/momentum.hpp"
#include "lazylogit/optim/stochastic/rules/rmsprop.hpp"

namespace lazylogit::optim {

// b ← b − η g, prior: flow of time η/n. Without bounds this is the work of lazy_ledger.hpp and its quick forms.
struct PlainRule {
  static constexpr std::size_t per_feature = 0, per_coefficient = 0;
  static constexpr ScheduleKind schedule = ScheduleKind::inverse;
  static PlainRule from(const RuleSettings&) { return {}; }
  void begin(double*, Pace) const noexcept {}
  double step(double*, const double*, double g, Pace pace) const noexcept { return -pace.rate * g; }
  double speed(const double*, const double*) const noexcept { return 1; }
  double first_rate(double squared_length) const noexcept { return 1 / squared_length; }
};

using AnyRule = std::variant<PlainRule, Momentum, AdaGrad, AdaDelta, RmsProp, Adam, AdaMax, Ftrl>;

}  // namespace lazylogit::optim
