// The direction −H⁻¹g on the free coordinates; see newton.hpp.
#pragma once

#include "lazylogit/optim/batch/descent.hpp"

namespace lazylogit::optim {

// Whether forming and factoring the Hessian is cheaper than a run of conjugate gradients.
bool factoring_pays(const objective::Objective& objective);

// What the Newton steps of a usual fit cost, in steps of L-BFGS with this memory.
double newton_in_lbfgs_steps(const objective::Objective& objective, std::size_t memory);

// One over the diagonal of H at the current point; 1 where that is not a positive finite number.
math::Vector inverse_diagonal(Descent& descent);

// Both solve with H + damping·|diag H| in place of H.

// By a Cholesky factor, shifted by a further multiple of the diagonal until it is positive definite.
void factored_direction(Descent& descent, double damping, math::Vector& direction);

// By conjugate gradients until the residual has fallen by `forcing` (in the metric of the preconditioner).
void truncated_direction(Descent& descent, double forcing, double damping, math::Vector& direction);

// For an L1 part: the step to the minimum of the quadratic model plus the L1 part, by coordinate descent on
// the whole Hessian. Finds which coordinates rest at their kinks, where a plain Newton step would overshoot
// them one by one.
void proximal_direction(Descent& descent, math::Vector& direction);

}  // namespace lazylogit::optim
