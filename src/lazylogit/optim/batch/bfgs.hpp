// Quasi-Newton with a dense approximation H of the inverse Hessian, for up to a few thousand coefficients.
//
// With s the step and y the change of the gradient, H is the member φ of Broyden's convex family
//
//   H ← H − (Hy)(Hy)ᵀ/(yᵀHy) + s sᵀ/(sᵀy) + (1 − φ) (yᵀHy) v vᵀ,    v = s/(sᵀy) − Hy/(yᵀHy)
//
// φ = 0 is BFGS, φ = 1 is DFP. It starts from the inverse of the Hessian's diagonal. Needs a smooth prior and at
// most as many coefficients as said here, which the catalogue checks.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

inline constexpr std::size_t most_bfgs_coefficients = 5000;

FitSummary run_bfgs(const FitRequest& request);

}  // namespace lazylogit::optim
