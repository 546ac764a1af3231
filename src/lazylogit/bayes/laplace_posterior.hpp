// The Gaussian ("Laplace") approximation of the posterior at the optimum, and the evidence that comes with it.
//
//   covariance = H⁻¹,  H the Hessian of the error at the optimum
//   log evidence ≈ log likelihood + log prior + (P/2) ln 2π − ½ log det H
//   BIC = −2 log likelihood + P ln n,  AIC = −2 log likelihood + 2P
//   effective parameters = trace(H_likelihood · covariance) = P − Σ R''_i Var(b_i)
// A coefficient exactly at the kink of a Laplace prior has no curvature: it is left out of the covariance and of P, and
// contributes to the evidence the integral of its own direction, exp(−l|b| − g b − h b²/2) with g, h the likelihood's
// derivatives. A uniform prior counts as density 1. The elastic net has no normalising constant, so no evidence.
#pragma once

#include <span>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/bayes/curvature_frame.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::bayes {

struct PosteriorRequest {
  model::PosteriorKind kind = model::PosteriorKind::diagonal;
  std::size_t rank = 50;   // low-rank
  std::uint64_t seed = 1;  // of the probes
  bool evidence = true;    // false: leave out what only the evidence needs
};

// Throws ConfigError where the full covariance will be too large wherever the optimum is.
void check_full_covariance(const objective::Problem& problem);

// `record`: log likelihood, log prior and number of examples at b. Throws ConfigError when a full covariance would be too
// large, InputError when the posterior does not exist (names say where).
model::PosteriorApproximation approximate_posterior(const objective::Problem& problem,
                                                    std::span<const double> b,
                                                    const model::TrainingRecord& record,
                                                    const PosteriorRequest& request, const Names& names,
                                                    const CancelToken& cancel);

// The same with an objective that exists already.
model::PosteriorApproximation approximate_posterior(objective::Posterior& objective,
                                                    std::span<const double> b,
                                                    const model::TrainingRecord& record,
                                                    const PosteriorRequest& request, const Names& names,
                                                    const CancelToken& cancel);

// What the approximation leaves out, in a sentence; empty: nothing.
std::string posterior_caveat(const objective::Problem& problem, std::span<const double> b);

}  // namespace lazylogit::bayes
