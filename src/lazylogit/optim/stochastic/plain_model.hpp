// What a fit must do better than: the prior's means, with intercepts that say the frequencies of classes or the mean of the
// numbers alone (objective/intercept_levels.hpp). Where one row in 10,000 is of another class its error is a thousandth
// of that of coefficients that are all 0: only beside it an error shows whether anything was learned.
#pragma once

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/constraints.hpp"

namespace lazylogit::optim {

struct PlainModel {
  math::Vector coefficients;
  double error = 0;
};

// Pinned intercepts stay, and bounds hold. One pass.
PlainModel plain_model(const objective::Problem& problem, const Constraints& constraints);

}  // namespace lazylogit::optim
