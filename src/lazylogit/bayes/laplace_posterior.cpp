#include "lazylogit/bayes/laplace_posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lazylogit/base/error.hpp"
#include "lazylogit/bayes/dense_curvature.hpp"
#include "lazylogit/bayes/log_determinant.hpp"
#include "lazylogit/bayes/low_rank.hpp"

namespace lazylogit::bayes {
namespace {

using model::PosteriorKind;

// Problems up to this size have an exact log determinant, whatever the kind of posterior.
constexpr std::size_t exact_determinant_limit = 1024;

// ln ∫₀^∞ exp(−a b − h b²/2) db for a > 0, h ≥ 0.
double log_half_integral(double a, double h) {
  if (h <= 1e-12 * a * a) return -std::log(a);
  const double x = a / std::sqrt(2 * h);
  // erfc keeps its digits up to about 26; beyond, the first terms of its continued fraction are exact enough.
  const double scaled = x < 20 ? std::exp(x * x) * std::erfc(x)
                               : 1 / (std::sqrt(std::numbers::pi) * (x + 0.5 / (x + 1 / (x + 1.5 / x))));
  return 0.5 * std::log(std::numbers::pi / (2 * h)) + std::log(scaled);
}

// What the coefficients at kinks contribute to the evidence.
double kink_part(objective::Posterior& objective, std::span<const double> b, const CurvatureFrame& frame) {
  if (frame.at_kink.empty()) return 0;
  math::Vector gradient(objective.size()), diagonal(objective.size());
  objective.value_and_gradient(b, gradient);
  objective.set_curvature_point(b);  // a gradient forgets it
  objective.hessian_diagonal(diagonal);
  double sum = 0;
  for (const std::size_t i : frame.at_kink) {
    const double l = objective.slopes()[i], g = std::clamp(gradient[i], -l, l);
    // At the edge of the kink one of the two sides is (nearly) without slope; the curvature bounds it.
    const double least = 1e-9 * l;
    const double right = log_half_integral(std::max(l + g, least), diagonal[i]);
    const double left = log_half_integral(std::max(l - g, least), diagonal[i]);
    sum += std::max(left, right) + std::log1p(std::exp(-std::abs(left - right)));
  }
  return sum;
}

void check_size(std::size_t coefficients, const model::Shape& shape) {
  if (coefficients <= dense_limit && shape.size() <= 2 * dense_limit) return;
  throw ConfigError(
      fmt::format("a full covariance of {} coefficients is too large (at most {})",
                  coefficients > dense_limit ? coefficients : shape.num_rows() * shape.num_vectors(),
                  dense_limit),
      "posterior", "take diagonal or low-rank");
}

// Σ over i ≠ k of P_ik Cov(b_i, b_k), P the coupled prior's precision: 0 where the posterior keeps no covariances.
double coupled_trace(const prior::Coupling& coupling, const model::PosteriorApproximation& posterior) {
  if (posterior.covariance.empty()) return 0;
  std::vector<std::size_t> place(posterior.variance.size(), 0);
  for (std::size_t k = 0; k < posterior.coordinates.size(); ++k) place[posterior.coordinates[k]] = k;
  const std::size_t m = coupling.group_size();
  const auto coordinates = coupling.coordinates();
  double sum = 0;
  for (std::size_t first = 0; first < coordinates.size(); first += m)
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const auto [low, high] = std::minmax(place[coordinates[first + i]], place[coordinates[first + k]]);
        sum += 2 * coupling.precision(i, k) * posterior.covariance[high * (high + 1) / 2 + low];
      }
  return sum;
}

void fill_evidence(objective::Posterior& objective, std::span<const double> b, const CurvatureFrame& frame,
                   const model::TrainingRecord& record, const LogDeterminant& determinant,
                   model::PosteriorApproximation& out) {
  const double p = frame.dimension();
  out.num_parameters = p;
  const double n = static_cast<double>(record.num_examples);
  out.bic = -2 * record.log_likelihood + p * std::log(n);
  out.aic = -2 * record.log_likelihood + 2 * p;
  out.effective_parameters = p;
  for (const std::size_t i : frame.coordinates)
    out.effective_parameters -= objective.prior_curvature(i) * out.variance[i];
  if (const prior::Coupling* coupling = objective.problem().prior->coupling())
    out.effective_parameters -= coupled_trace(*coupling, out);
  if (objective.problem().prior->family() == prior::ElasticNet::name) return;
  out.log_evidence = record.log_likelihood + record.log_prior + 0.5 * p * std::log(2 * std::numbers::pi) -
                     0.5 * determinant.value + kink_part(objective, b, frame);
  out.log_evidence_error = 0.5 * determinant.standard_error;
}

}  // namespace

void check_full_covariance(const objective::Problem& problem) {
  const model::Shape& shape = problem.shape;
  std::size_t least = 0;  // those without a kink have a place in it wherever the optimum is
  problem.prior->visit([&](const auto& view) {
    for (std::size_t row = 0; row < shape.size(); row += shape.stride())
      for (std::size_t i = row; i < row + shape.num_vectors(); ++i)
        if (!view.pinned(i) && !(view.penalized(i) && view.at(i).slope() > 0)) ++least;
  });
  check_size(least, shape);
}

model::PosteriorApproximation approximate_posterior(const objective::Problem& problem,
                                                    std::span<const double> b,
                                                    const model::TrainingRecord& record,
                                                    const PosteriorRequest& request, const Names& names,
                                                    const CancelToken& cancel) {
  objective::Posterior objective(problem);
  return approximate_posterior(objective, b, record, request, names, cancel);
}

model::PosteriorApproximation approximate_posterior(objective::Posterior& objective,
                                                    std::span<const double> b,
                                                    const model::TrainingRecord& record,
                                                    const PosteriorRequest& request, const Names& names,
                                                    const CancelToken& cancel) {
  const objective::Problem& problem = objective.problem();
  const CurvatureFrame frame = curvature_frame(objective, b, names);
  model::PosteriorApproximation out;
  out.kind = request.kind;
  const bool full = request.kind == PosteriorKind::full;
  if (full) check_size(frame.coordinates.size(), problem.shape);
  LogDeterminant determinant;
  if (full) out.coordinates.assign(frame.coordinates.begin(), frame.coordinates.end());
  if (full || objective.size() <= exact_determinant_limit) {
    DenseCurvature dense = dense_curvature(objective, frame, full, names);
    determinant.value = dense.log_determinant;
    out.covariance = std::move(dense.covariance);
  } else if (request.evidence) {
    determinant = estimate_log_determinant(objective, frame, request.seed, cancel);
  }
  if (request.kind == PosteriorKind::low_rank) {
    if (problem.prior->coupling() != nullptr)
      throw ConfigError(
          "a low-rank posterior takes each coefficient's prior by itself, which a prior covariance "
          "does not allow",
          "posterior", "take full or diagonal");
    fill_low_rank(objective, frame, request.rank, request.seed + 1, cancel, out);
  } else {
    out.variance.assign(objective.size(), 0.0);
    for (std::size_t k = 0; k < frame.coordinates.size(); ++k)
      out.variance[frame.coordinates[k]] =
          full ? std::max(0.0, out.covariance[k * (k + 1) / 2 + k]) : 1 / frame.diagonal[k];
  }
  if (request.evidence) fill_evidence(objective, b, frame, record, determinant, out);
  return out;
}

std::string posterior_caveat(const objective::Problem& problem, std::span<const double> b) {
  const model::Shape& shape = problem.shape;
  std::size_t kinks = 0, held = 0;
  problem.prior->visit([&](const auto& view) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (i % shape.stride() >= shape.num_vectors() || !view.penalized(i) || !(view.at(i).slope() > 0))
        continue;
      ++kinks;
      if (b[i] == view.mean(i)) ++held;
    }
  });
  if (kinks == 0) return {};
  return fmt::format(
      "the {} prior has no curvature at its kink: the coefficients that are exactly there ({}) are taken as "
      "known, and the "
      "others' standard errors are those of the model without them",
      problem.prior->family(), held);
}

}  // namespace lazylogit::bayes
