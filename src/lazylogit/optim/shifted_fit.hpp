// An exact optimizer on columns that have been moved to where they are spread (objective/shifted_columns.hpp), where some are
// far from there: steps and proofs then keep the digits that tell such a column from the intercept.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

// As run(request): start, coefficients, separating direction and held-out loss are those of the columns as they are, the
// certificate's derivatives those of moved ones. Where no column is far, that is all it does.
FitSummary run_shifted(FitSummary (*run)(const FitRequest& request), const FitRequest& request);

}  // namespace lazylogit::optim
