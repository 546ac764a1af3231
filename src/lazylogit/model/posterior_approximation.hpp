// How sure a model is of its coefficients: a Gaussian approximation of the posterior around the optimum, kept in the
// model file.
//
//   diagonal   covariance = diag(variance)
//   full       the whole covariance of the coordinates that take part
//   low-rank   covariance = diag(base) − F Fᵀ,  base_i = variance_i + ‖F_i‖²
//
// Coordinates are those of model/shape.hpp. A coordinate of variance 0 is held fixed by the approximation: pinned by the
// prior, or exactly at the kink of an L1 prior, where there is no curvature.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/math/vector.hpp"

namespace lazylogit::model {

enum class PosteriorKind { diagonal, full, low_rank };

struct PosteriorApproximation {
  PosteriorKind kind = PosteriorKind::diagonal;
  math::Vector variance;                   // of every coordinate; padding 0
  std::vector<std::uint64_t> coordinates;  // full: those that take part, ascending
  std::vector<double> covariance;          // full: lower triangle of their covariance, row by row
  std::size_t rank = 0;                    // low-rank
  math::AlignedVector<float> factor;       // low-rank: F, `rank` numbers per coordinate
  std::optional<double> log_evidence;      // log marginal likelihood; nothing where it does not exist
  double log_evidence_error = 0;           // standard error of its estimate, 0 where it is computed exactly
  double effective_parameters = 0;         // trace of (Hessian of the likelihood · covariance)
  double num_parameters = 0;               // P of BIC and AIC
  double bic = 0, aic = 0;
};

const char* posterior_kind_name(PosteriorKind kind);
std::optional<PosteriorKind> posterior_kind(const std::string& name);  // nothing: no such kind

}  // namespace lazylogit::model
