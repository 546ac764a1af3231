// Iteratively reweighted least squares: the method of R's glm, for one or several vectors, with a convex
// smooth prior.
//
// Two classes: with weights w p(1 − p) in W and the working response z = Xb + (y − p)/(p(1 − p)), the next b
// solves the weighted least squares problem  (XᵀWX + P) b' = XᵀWz + Pm  with the prior's curvature P and mean
// m. For k classes W is block diagonal with blocks w (diag p − p pᵀ). In both cases the equations are H b' =
// H b − g, so the objective's Hessian is all that is needed; the tests compare a step with the literal
// weighted least squares. Steps are whole; one that raises the error is halved, as glm does.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

FitSummary run_irls(const FitRequest& request);

}  // namespace lazylogit::optim
