#include "lazylogit/train/number_outliers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/model/score_covariance.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

std::vector<NumberOutlier> number_outliers(const model::Model& model, const data::Rows& rows, Log& log,
                                           const CancelToken& cancel) {
  const Prepared prepared = prepare_check(model, rows, log);
  if (!prepared.centers.empty())
    throw ConfigError(
        "the model has centred columns and a prior on the intercept, which leverages leave out of account",
        "", "train with --standardize scale");
  const objective::Problem problem = prepared.problem();
  objective::Posterior objective(problem);
  model::Model holder;  // what ScoreCovariance looks at
  holder.shape = model.shape;
  holder.coefficients = model.coefficients;
  holder.record = model.record;
  holder.record.num_examples = prepared.num_examples;
  holder.posterior = bayes::approximate_posterior(objective, holder.coefficients, holder.record,
                                                  {.kind = model::PosteriorKind::full},
                                                  {&model.features, &model.classes}, cancel);
  const model::ScoreCovariance covariance(holder);
  model::Predictions predictions;
  model::Predictor(holder).predict(rows, model::Predictor::Detail::decisions, predictions);
  std::vector<NumberOutlier> found;
  double squares = 0;
  rows.x.visit_rows([&](const auto& view) {
    model::ScoreCovariance::Scratch scratch;
    for (std::size_t j = 0; j < rows.num_rows(); ++j) {
      const double w = problem.weight(j);
      if (!(w > 0)) continue;
      double variance = 0;
      covariance(view.row(j), &variance, scratch);
      NumberOutlier one{
          .row = j, .prediction = predictions.numbers[j], .leverage = w * std::max(0.0, variance)};
      const double error = problem.targets[j] - one.prediction, rest = 1 - one.leverage;
      squares += w * error * error;
      one.left_out =
          rest > 1e-12 ? problem.targets[j] - error / rest : std::numeric_limits<double>::quiet_NaN();
      one.t = rest > 1e-12 ? error * std::sqrt(w / rest) : 0.0;
      found.push_back(one);
    }
  });
  const double freedom = static_cast<double>(found.size()) - holder.posterior->effective_parameters;
  const double deviation = std::sqrt(squares / std::max(freedom, 1.0));
  for (NumberOutlier& one : found) one.t = deviation > 0 ? one.t / deviation : 0.0;
  std::stable_sort(found.begin(), found.end(), [](const NumberOutlier& a, const NumberOutlier& b) {
    return std::abs(a.t) > std::abs(b.t);
  });
  return found;
}

}  // namespace lazylogit::train
