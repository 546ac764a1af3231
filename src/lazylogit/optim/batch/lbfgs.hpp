// Limited-memory BFGS with the Hessian's diagonal at the start as the metric, so that columns of very
// different scale converge alike. Under an L1 prior the orthant-wise form (Andrew and Gao 2007): the
// direction comes from the pseudo-gradient, differences from the smooth part, and the search stays in one
// orthant, which gives exact zeros. When steps no longer help it ends with Newton steps.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

FitSummary run_lbfgs(const FitRequest& request);

}  // namespace lazylogit::optim
