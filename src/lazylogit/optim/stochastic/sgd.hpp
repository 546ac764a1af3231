// Stochastic gradient descent with lazy regularization: the optimizer `sgd`.
//
// Each epoch visits every example of positive weight once, in an order drawn from the seed. At its end all
// coefficients are caught up and the error of the whole problem is taken; the fit ends after `epochs`, or
// when |a − b|/(|a| + |b|) of successive errors falls below `tolerance`, or early on cancel and time. A run
// that leaves the finite numbers ends with numeric_failure and the coefficients of the last good epoch.
// Single-threaded but for the error: the number of threads changes no byte.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"

namespace lazylogit::optim {

struct SgdRequest {
  objective::Problem problem;
  std::span<const double> start;  // problem.shape.size() coefficients; pinned ones at their means
  StochasticSettings settings;
  std::optional<double> max_seconds;
  std::function<double(std::span<const double>)> holdout_log_loss;  // empty: no held-out data
  Observer* observer = nullptr;                                     // may be null
  CancelToken cancel;
};

// Throws ConfigError for settings that contradict each other or are out of range.
FitSummary fit_sgd(const SgdRequest& request);

}  // namespace lazylogit::optim
