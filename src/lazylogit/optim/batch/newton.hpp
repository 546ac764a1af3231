// Newton's method with a line search, on the coordinates that are free to move.
//
// Few coefficients: the Hessian and a Cholesky factor. Many: conjugate gradients on Hessian–vector products
// with the diagonal as preconditioner, stopped early far from the optimum (truncated Newton). A Hessian that
// is not positive definite (Cauchy) is shifted until it is, or the iteration stops at the first direction of
// negative curvature. Under an L1 prior steps stay in one orthant, and coordinates held at their kink are
// left out of the system.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

class Descent;

FitSummary run_newton(const FitRequest& request);

// Goes on from where another method stands.
FitSummary newton_steps(Descent& descent);

}  // namespace lazylogit::optim
