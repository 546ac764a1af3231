// Gradient descent, with heavy-ball momentum:
//
//   b ← b − η g + μ (b − b_previous)
//
// η by backtracking, by a strong-Wolfe search, or constant (1/L when not given, L a bound on the curvature,
// curvature_bound.hpp). A momentum that would lead uphill is dropped for that step, but for constant ones; these end where the error no longer
// falls, and say so where they are too long. Under an L1 prior g is the subgradient of least size and steps stay in one
// orthant. Slow where features differ in scale: it is here to be compared with, not to be chosen.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

FitSummary run_gd(const FitRequest& request);

}  // namespace lazylogit::optim
