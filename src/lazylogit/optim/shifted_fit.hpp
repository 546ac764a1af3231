// An exact optimizer that goes on with columns moved to where they are spread (objective/shifted_columns.hpp), where some are far
// from there and it has found no proof with columns as they are: steps and proofs then keep the digits that tell such a
// column from the intercept.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

// As run(request), within its limits: start, coefficients, separating direction, certificate and held-out loss are those of the
// columns as they are. Where no column is far, that is all it does.
FitSummary run_shifted(FitSummary (*run)(const FitRequest& request), const FitRequest& request);

}  // namespace lazylogit::optim
