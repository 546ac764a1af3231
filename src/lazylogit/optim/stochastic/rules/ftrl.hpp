// Follow the (proximally) regularized leader (McMahan et al. 2013): the settings of the optimizer `ftrl`.
// ftrl_ledger.hpp has the formulas and the lazy form.
#pragma once

#include <cmath>

#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

struct Ftrl {
  static constexpr ScheduleKind schedule = ScheduleKind::constant;
  double beta = 1;

  static Ftrl from(const RuleSettings& s) { return {s.beta.value_or(1)}; }
  double first_rate(double squared_length) const noexcept { return 1 / std::sqrt(squared_length); }
};

}  // namespace lazylogit::optim
