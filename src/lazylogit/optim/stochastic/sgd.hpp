// Stochastic gradient descent with lazy regularization: the optimizer `sgd`.
//
// Each epoch visits every example of positive weight once, in an order drawn from the seed. At its end all
// coefficients are caught up and the error of the whole problem is taken; the fit ends after `epochs`, or
// when |a − b|/(|a| + |b|) of successive errors falls below `tolerance`, or early on cancel and time. A run
// that leaves the finite numbers ends with numeric_failure and the coefficients of the last good epoch.
// Single-threaded but for the error: the number of threads changes no byte.
#pragma once

#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

// Needs request.stochastic (nothing: the defaults). Throws ConfigError for settings that contradict each other or are
// out of range.
FitSummary run_sgd(const FitRequest& request);

}  // namespace lazylogit::optim
