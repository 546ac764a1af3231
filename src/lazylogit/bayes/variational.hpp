// The Gaussian whose lower bound on the evidence is highest, by bounds that make the likelihood Gaussian.
//
// Two classes (Jaakkola and Jordan 2000), with λ(ξ) = tanh(ξ/2)/(4ξ), w the weight and o the offset of a row:
//   log p(y | ψ) ≥ (y − ½) ψ + log σ(ξ) − ξ/2 − λ(ξ)(ψ² − ξ²)
//   S⁻¹ = P + 2 Σ w λ(ξ) x xᵀ,  mean = S (P m₀ + Σ w (y − ½ − 2 λ(ξ) o) x),  ξ² = xᵀ S x + (x·mean + o)²
// repeated until ξ stands still. More classes (Böhning 1992): the Hessian of the likelihood is at most that of
// A = ½(I − 11ᵀ/k) in every row, so S⁻¹ = P + Σ w A ⊗ x xᵀ, and the best mean is the optimum itself.
// `log_evidence` is the bound. Intervals come out too narrow for two classes with few rows, as bounds do, and too wide
// for many classes; the means are good.
#pragma once

#include <span>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/bayes/curvature_frame.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::bayes {

// Throws ConfigError for a prior without such bounds and for too many coefficients.
void check_variational(const objective::Problem& problem);

// Throws ConfigError for priors other than Gaussian and uniform and for problems that are too large, InputError where the
// posterior does not exist.
model::PosteriorApproximation variational_posterior(const objective::Problem& problem,
                                                    std::span<const double> b,
                                                    const model::TrainingRecord& record, const Names& names,
                                                    const CancelToken& cancel);

}  // namespace lazylogit::bayes
