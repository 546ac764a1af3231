// SAGA (Defazio, Bach and Lacoste-Julien 2014), stochastic steps whose noise vanishes: the optimizer `saga`.
//
// A row's step is its gradient minus what the row's gradient was when last visited, plus the mean of all remembered
// gradients (saga_table.hpp). With constant steps (step_size.hpp) it converges to the optimum itself, which the certificate
// proves; the prior acts by its flow, lazily, for smooth priors and with exact zeros for L1. Memory: one number per row and
// vector. Each epoch visits every example of positive weight once, in an order drawn from the seed. The fit ends when the
// certified relative gap is at most `gap`, or after `epochs`, or early on cancel and time; not converged, with the lowest
// error there was. It also ends where the coefficients separate the classes completely by features without a prior, and where steps
// of a given learning rate only raise the error. Single-threaded but for the error and its certificate.
#pragma once

#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

// Throws ConfigError for settings out of range.
FitSummary run_saga(const FitRequest& request);

}  // namespace lazylogit::optim
