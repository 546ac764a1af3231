#include "lazylogit/bayes/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/math/normal_quantile.hpp"
#include "lazylogit/model/score_covariance.hpp"

namespace lazylogit::bayes {

void apply_noise(const objective::Problem& problem, const model::TrainingRecord& record,
                 std::optional<double> noise_variance, bool counts,
                 model::PosteriorApproximation& posterior) {
  double total = 0;
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j) total += problem.weight(j);
  const double n = counts ? total : static_cast<double>(record.num_examples);
  const double half_squares = -record.log_likelihood;  // Σ w e²/2
  const double freedom = n - posterior.effective_parameters;
  if (!noise_variance && !(freedom > 1e-9 * n))
    throw InputError({.message = fmt::format(
                          "{} {} nothing to estimate the noise of {:.4g} coefficients from",
                          counted(record.num_examples, "row"), record.num_examples == 1 ? "leaves" : "leave",
                          posterior.effective_parameters),
                      .hint = "give it with --noise-variance, or a stronger prior",
                      .code = "no-noise"});
  const double s2 = noise_variance ? *noise_variance : 2 * half_squares / freedom;
  posterior.noise_variance = s2;
  for (double& v : posterior.variance) v *= s2;
  for (double& v : posterior.covariance) v *= s2;
  double log_weights = 0;
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j)
    if (problem.weight(j) > 0 && !counts) log_weights += std::log(problem.weight(j));
  const auto normalizer_at = [&](double variance) {
    return 0.5 * (log_weights - n * std::log(2 * std::numbers::pi * variance));
  };
  const double normalizer = normalizer_at(s2);
  // The criteria are about the most likely noise, as R's AIC and BIC of lm are.
  const double likely = noise_variance ? *noise_variance : 2 * half_squares / n;
  const double log_likelihood = normalizer_at(likely) - half_squares / likely;
  const double parameters = posterior.num_parameters + (noise_variance ? 0 : 1);
  posterior.bic = -2 * log_likelihood + parameters * std::log(n);
  posterior.aic = -2 * log_likelihood + 2 * parameters;
  if (!std::isfinite(posterior.bic)) posterior.bic = posterior.aic = std::numeric_limits<double>::quiet_NaN();
  if (posterior.log_evidence)
    *posterior.log_evidence += normalizer + (half_squares + record.penalty) * (1 - 1 / s2);
  if (posterior.log_evidence && !std::isfinite(*posterior.log_evidence)) posterior.log_evidence.reset();
}

void number_bounds(const model::Model& model, const data::Rows& rows, double level, model::Predictions& out) {
  const model::ScoreCovariance covariance(model);
  const double reach = math::normal_quantile(0.5 + level / 2);
  const std::size_t count = out.numbers.size();
  out.lower.resize(count);
  out.upper.resize(count);
  constexpr std::size_t rows_per_block = 256;
  rows.x.visit_rows([&](const auto& view) {
    parallel_blocks(num_blocks_of(count, rows_per_block), [&](std::size_t block) {
      model::ScoreCovariance::Scratch scratch;
      for (std::size_t i = block * rows_per_block; i < std::min(count, (block + 1) * rows_per_block); ++i) {
        double variance = 0;
        covariance(view.row(i), &variance, scratch);
        const double deviation = std::sqrt(std::max(0.0, variance) + model.posterior->noise_variance);
        out.lower[i] = out.numbers[i] - reach * deviation;
        out.upper[i] = out.numbers[i] + reach * deviation;
      }
    });
  });
}

}  // namespace lazylogit::bayes
