// The direction −H⁻¹g on the free coordinates; see newton.hpp.
#pragma once

#include "lazylogit/optim/batch/descent.hpp"

namespace lazylogit::optim {

// Whether forming and factoring the Hessian is cheaper than a run of conjugate gradients.
bool factoring_pays(const objective::Objective& objective);

// By a Cholesky factor of H, shifted by a multiple of its diagonal until it is positive definite.
void factored_direction(Descent& descent, math::Vector& direction);

// By conjugate gradients until the residual has fallen by `forcing` (in the metric of the preconditioner).
void truncated_direction(Descent& descent, double forcing, math::Vector& direction);

}  // namespace lazylogit::optim
