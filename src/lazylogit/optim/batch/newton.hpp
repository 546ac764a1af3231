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

// Goes on from where another method stands. If it may change the method (BatchSettings::may_change), it leaves for coordinate
// descent, which does not mind how curvatures spread, where steps crawl: conjugate gradients take dozens of products,
// though rows are fewer than coefficients and columns therefore short; or under an L1 prior steps are refused again and again.
enum class Leaving { no, if_slow };
FitSummary newton_steps(Descent& descent, Leaving leaving = Leaving::if_slow);

}  // namespace lazylogit::optim
