// Stochastic training by epochs, with any update rule: the optimizers `sgd`, `momentum`, `adagrad`, `adadelta`, `rmsprop`,
// `adam`, `adamax` and `ftrl`.
//
// Each epoch visits every example of positive weight once, in an order drawn from the seed. At its end all
// coefficients are caught up and the error of the whole problem is taken; the fit ends after `epochs`, or
// when |a − b|/(|a| + |b|) of successive errors falls below `tolerance`, or early on cancel and time (then with the lowest
// error there was). A run that leaves the finite numbers ends with numeric_failure and the coefficients of the last good
// epoch.
//
// An error above that of the plain model (plain_model.hpp) or of the start, and one that stands still where an exact step
// (exact_step.hpp) would lower it by a quarter, is no_progress. A rate that was found by trying is cut, and the fit goes on from
// coefficients that were better, where the first epoch ends far above the start, a later one above the start or far
// above the plain model or the epoch before.
//
// Single-threaded but for the error: the number of threads changes no byte.
#pragma once

#include <type_traits>

#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/optim/optimizer.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"

namespace lazylogit::optim {

// Throws ConfigError for settings that contradict each other or are out of range.
FitSummary run_epochs(const FitRequest& request, const StochasticSettings& settings);

// Takes its settings from request.stochastic (nothing: the defaults). The prior step is a choice of sgd, the schedule one of
// all but ftrl.
template <class Rule>
FitSummary run_rule(const FitRequest& request) {
  StochasticSettings settings = request.stochastic != nullptr ? *request.stochastic : StochasticSettings{};
  settings.rule = Rule::from(settings.rule_settings);
  if constexpr (!std::is_same_v<Rule, PlainRule>) settings.prior_step = PriorStep::flow;
  if constexpr (std::is_same_v<Rule, Ftrl>) settings.schedule = Rule::schedule;
  return run_epochs(request, settings);
}

}  // namespace lazylogit::optim
