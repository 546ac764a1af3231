// A covariance for many coefficients: the inverse of diagonal plus low rank, from Hessian-vector products.
//
// With H = C + L (prior and likelihood) and d its diagonal, the scaled likelihood part A = d^{−1/2} L d^{−1/2} is
// approximated from r random probes Ω:  A ≈ A Ω (ΩᵀAΩ)⁻¹ ΩᵀA = U Uᵀ  (Nyström; the rest A − UUᵀ is positive
// semidefinite, so its diagonal e can be kept exactly). Then H ≈ d^{1/2} (diag(e) + UUᵀ) d^{1/2} has H's own diagonal, and
//   covariance = d^{−1/2} (diag(1/e) − F Fᵀ) d^{−1/2},  F = diag(1/e) U K^{−T/2},  K = I + Uᵀ diag(1/e) U.
// Cost: r passes over the data; memory: r floats and a few doubles per coefficient (the probes are made again when they
// are needed).
#pragma once

#include <cstddef>
#include <cstdint>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/bayes/curvature_frame.hpp"
#include "lazylogit/model/posterior_approximation.hpp"

namespace lazylogit::bayes {

// Fills variance, rank and factor.
void fill_low_rank(objective::Posterior& objective, const CurvatureFrame& frame, std::size_t rank,
                   std::uint64_t seed, const CancelToken& cancel, model::PosteriorApproximation& out);

}  // namespace lazylogit::bayes
