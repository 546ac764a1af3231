// Samples of the posterior: several chains from different places, for those who want the truth.
//
// Gaussian and uniform priors are sampled by Gibbs sweeps with Pólya–Gamma variables (gibbs.hpp) where the problem is
// small enough, everything else, and what those sweeps hardly move in, by Hamiltonian Monte Carlo (nuts.hpp). Chains start around the optimum, twice as far
// apart as the posterior is wide, and forget `warmup` draws. Every chain has its own random numbers, so that the number
// of threads changes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/bayes/curvature_frame.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::bayes {

enum class SamplingMethod { automatic, polya_gamma, hamiltonian };

struct SamplingRequest {
  std::size_t chains = 4, per_chain = 1000, warmup = 500;
  std::uint64_t seed = 1;
  SamplingMethod method = SamplingMethod::automatic;
  std::optional<double> max_seconds = {};  // the draws so far are kept, if every chain has `fewest_draws`
};
inline constexpr std::size_t fewest_draws = 50;

// Throws ConfigError where so many draws are too many to keep.
void check_draws(const objective::Problem& problem, const SamplingRequest& request);

// Mean, variance, samples and their diagnostics; evidence, BIC and AIC are those of the Laplace approximation, and the
// evidence is left out where that does not exist. Throws ConfigError when the samples would not fit, InputError when the
// posterior does not exist, LimitError when the time was too short.
model::PosteriorApproximation sample_posterior(const objective::Problem& problem, std::span<const double> b,
                                               const model::TrainingRecord& record,
                                               const SamplingRequest& request, const Names& names,
                                               const CancelToken& cancel);

// What is wrong with the chains, in a sentence; empty: nothing.
std::string sampling_caveat(const model::Sampling& sampling);

}  // namespace lazylogit::bayes
