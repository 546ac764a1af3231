// How sure a model is of its coefficients: an approximation of the posterior, or samples of it, kept in the model file.
//
//   diagonal     covariance = diag(variance), around the optimum
//   full         the whole covariance of the coordinates that take part, around the optimum
//   low-rank     covariance = diag(base) − F Fᵀ,  base_i = variance_i + ‖F_i‖², around the optimum
//   variational  the Gaussian whose bound on the evidence is highest: a mean and the whole covariance
//   samples      draws of Markov chains, with their mean and variance
//
// Coordinates are those of model/shape.hpp. A coordinate of variance 0 is held fixed: pinned by the prior, or, in
// approximations around the optimum, exactly at the kink of an L1 prior, where there is no curvature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/math/vector.hpp"

namespace lazylogit::model {

enum class PosteriorKind { diagonal, full, low_rank, variational, samples };

// How samples were drawn and how well the chains agree.
struct Sampling {
  std::string method;  // "polya-gamma" or "hamiltonian"
  std::size_t chains = 0, per_chain = 0;
  double worst_rhat = 0;       // the largest R-hat of a coefficient
  double smallest_ess = 0;     // the smallest effective sample size of a coefficient
  std::uint64_t diverged = 0;  // hamiltonian: trajectories that the step size was too large for
  std::size_t num_draws() const noexcept { return chains * per_chain; }
};

struct PosteriorApproximation {
  PosteriorKind kind = PosteriorKind::diagonal;
  math::Vector variance;                   // of every coordinate; padding 0
  math::Vector mean;                       // variational, samples; else empty: the model's coefficients
  std::vector<std::uint64_t> coordinates;  // full, variational: those that take part, ascending
  std::vector<double> covariance;          // full, variational: lower triangle of theirs, row by row
  std::size_t rank = 0;                    // low-rank
  math::AlignedVector<float> factor;       // low-rank: F, `rank` numbers per coordinate
  Sampling sampling;                       // samples
  math::AlignedVector<float> samples;      // samples: the draws of each coordinate, chain after chain
  std::optional<double> log_evidence;      // log marginal likelihood; nothing where it does not exist
  double log_evidence_error = 0;           // standard error of its estimate, 0 where it is computed exactly
  double effective_parameters = 0;         // trace of (Hessian of the likelihood · covariance)
  double num_parameters = 0;               // P of BIC and AIC
  double bic = 0, aic = 0;
  double noise_variance = 0;  // of a number's model: what the covariance was made with; else 0
};

constexpr bool has_covariance(PosteriorKind kind) {
  return kind == PosteriorKind::full || kind == PosteriorKind::variational;
}
constexpr bool has_mean(PosteriorKind kind) {
  return kind == PosteriorKind::samples || kind == PosteriorKind::variational;
}

const char* posterior_kind_name(PosteriorKind kind);
std::optional<PosteriorKind> posterior_kind(const std::string& name);  // nothing: no such kind
std::vector<std::string> posterior_kind_names();

}  // namespace lazylogit::model
