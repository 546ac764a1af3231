// The direction −H⁻¹g on the free coordinates; see newton.hpp.
#pragma once

#include <memory>

#include "lazylogit/optim/batch/descent.hpp"

namespace lazylogit::optim {

// Whether forming and factoring the Hessian is cheaper than a run of conjugate gradients.
bool factoring_pays(const objective::Objective& objective);

// What the Newton steps of a usual fit cost, in steps of L-BFGS with this memory.
double newton_in_lbfgs_steps(const objective::Objective& objective, std::size_t memory);

// One over the diagonal of H at the current point; 1 where that is not a positive finite number.
math::Vector inverse_diagonal(Descent& descent);

// Both solve with H + damping·|diag H| in place of H.

// A Cholesky factor of the Hessian over the coordinates that are free at the current point, shifted by a multiple of the
// diagonal until it is positive definite.
class FactoredHessian {
 public:
  // Probabilities up to `least` may count as 0.
  FactoredHessian(Descent& descent, double damping, double least = 0);
  ~FactoredHessian();
  // z = H⁻¹ r on those coordinates, 0 elsewhere.
  void solve(const math::Vector& r, math::Vector& z) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};
void factored_direction(Descent& descent, double damping, math::Vector& direction);

// What a factor costs at the curvature point, in products of the Hessian with a vector, probabilities up to `least`
// counting as 0; nothing where it would take too much memory.
std::optional<double> factor_in_products(const objective::Objective& objective, double least);

// By conjugate gradients until the residual has fallen by `forcing` (in the metric of the preconditioner), or after
// `most_products`. The preconditioner is the diagonal, or a factor of the Hessian of an earlier point with the same free
// coordinates. Returns the products taken; without any the direction is the preconditioned gradient.
int truncated_direction(Descent& descent, double forcing, double damping, math::Vector& direction,
                        const FactoredHessian* factor = nullptr, int most_products = 500);

// For an L1 part: the step to the minimum of the quadratic model plus the L1 part, by coordinate descent on
// the whole Hessian. Finds which coordinates rest at their kinks, where a plain Newton step would overshoot
// them one by one.
void proximal_direction(Descent& descent, math::Vector& direction);

}  // namespace lazylogit::optim
