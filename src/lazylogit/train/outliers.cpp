#include "lazylogit/train/outliers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lazylogit/base/error.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/data/folds.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/train/optimizer_choice.hpp"

namespace lazylogit::train {
namespace {

// Up to so many coefficients the whole covariance is used, beyond them a low-rank one.
constexpr std::size_t full_limit = 2048;
constexpr std::size_t rank = 50;

void warn_unless_optimal(const objective::Problem& problem, std::span<const double> b, Log& log) {
  constexpr double far = 1e-3;
  const model::Certificate certificate = objective::certify(problem, b);
  if (objective::satisfies(certificate, far)) return;
  log.warning(
      {.kind = ErrorKind::input,
       .message = "the model is not the optimum for these rows, so that leaving one out says little about it",
       .hint = "give the rows it was trained on, or train it to convergence"});
}

// What one step from the optimum needs. Where it does not exist the rows can still be left out one by one.
model::PosteriorApproximation covariance_at(const objective::Problem& problem, const model::Model& model,
                                            const CancelToken& cancel) {
  const bool full = model.shape.size() <= full_limit;
  try {
    return bayes::approximate_posterior(
        problem, model.coefficients, model.record,
        {.kind = full ? model::PosteriorKind::full : model::PosteriorKind::low_rank,
         .rank = rank,
         .evidence = false},
        {&model.features, &model.classes}, cancel);
  } catch (const InputError& error) {
    ErrorDetail detail = error.detail();
    detail.hint = "--exact and --folds do without it";
    throw InputError(std::move(detail));
  }
}

// Fits without the rows of weight 0 and predicts them.
class Refit {
 public:
  Refit(const Prepared& prepared, const data::Rows& rows, const model::Model& model,
        const CancelToken& cancel)
      : prepared_(prepared), rows_(rows), start_(prepared.centered(model.coefficients)), cancel_(cancel) {
    light_.shape = model.shape;
    for (std::size_t j = 0; j < rows.num_rows(); ++j) weights_.push_back(prepared.problem().weight(j));
  }

  void without(const std::vector<std::size_t>& left_out, std::vector<bayes::LeftOut>& result) {
    cancel_.throw_if_cancelled();
    std::vector<double> weights = weights_;
    for (const std::size_t j : left_out) weights[j] = 0;
    optim::FitRequest request;
    request.problem = prepared_.problem();
    request.problem.weights = weights;
    request.start = start_;
    request.gap = 1e-8;
    request.cancel = cancel_;
    light_.coefficients = prepared_.original(
        choose_optimizer(TrainOptions{}, request.problem).optimizer->run(request).coefficients);
    const model::Predictor predictor(light_);
    model::Predictions predictions;
    for (const std::size_t j : left_out) {
      predictor.predict(rows_, {j, j + 1}, model::Predictor::Detail::decisions, predictions);
      result[j].log_probability = predictions.label_log_probability[0];
    }
  }

 private:
  const Prepared& prepared_;
  const data::Rows& rows_;
  math::Vector start_;
  CancelToken cancel_;
  std::vector<double> weights_;
  model::Model light_;
};

}  // namespace

Outliers::Outliers(const model::Model& model, const data::Rows& rows, const OutlierSettings& settings,
                   Log& log, const CancelToken& cancel)
    : prepared_(prepare_check(model, rows, log)) {
  const objective::Problem problem = prepared_.problem();
  warn_unless_optimal(problem, prepared_.centered(model.coefficients), log);
  fitted_.shape = model.shape;
  fitted_.coefficients = model.coefficients;
  fitted_.record = model.record;
  if (settings.method == LeaveOutMethod::approximate) {
    if (!prepared_.centers.empty())
      throw ConfigError(
          "the model has centred columns and a prior on the intercept, which one step leaves out of account",
          "exact", "add --exact or --folds");
    fitted_.posterior = covariance_at(problem, model, cancel);
    leave_one_out_.emplace(problem, fitted_);
    rows_ = leave_one_out_->rows();
    return;
  }
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  rows_.assign(rows.num_rows(), {unknown, unknown, 0});
  std::vector<std::size_t> taking_part;
  for (std::size_t j = 0; j < rows.num_rows(); ++j)
    if (problem.weight(j) > 0) taking_part.push_back(j);
  const model::Predictor predictor(model);
  model::Predictions predictions;
  predictor.predict(rows, model::Predictor::Detail::decisions, predictions);
  for (const std::size_t j : taking_part) rows_[j].in_sample = predictions.label_log_probability[j];
  Refit refit(prepared_, rows, model, cancel);
  if (settings.method == LeaveOutMethod::exact)
    for (const std::size_t j : taking_part) refit.without({j}, rows_);
  else
    for (const auto& fold :
         data::stratified_folds(taking_part, problem.labels, settings.folds, settings.seed))
      refit.without(fold, rows_);
}

std::vector<std::size_t> Outliers::ranking() const {
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < rows_.size(); ++j)
    if (!std::isnan(rows_[j].log_probability)) order.push_back(j);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rows_[a].log_probability < rows_[b].log_probability;
  });
  return order;
}

std::vector<MovedCoefficient> Outliers::moved(std::size_t row, std::size_t top) const {
  const math::Vector step = leave_one_out_->step(row);
  std::vector<MovedCoefficient> moved;
  for (std::size_t i = 0; i < step.size(); ++i)
    if (step[i] != 0) moved.push_back({i, step[i]});
  const std::size_t count = std::min(top, moved.size());
  std::partial_sort(moved.begin(), moved.begin() + static_cast<std::ptrdiff_t>(count), moved.end(),
                    [](const MovedCoefficient& a, const MovedCoefficient& b) {
                      const double x = std::abs(a.change), y = std::abs(b.change);
                      return x != y ? x > y : a.coordinate < b.coordinate;
                    });
  moved.resize(count);
  return moved;
}

}  // namespace lazylogit::train
