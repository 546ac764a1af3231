#include "lazylogit/train/trainer.hpp"

#include <utility>

#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/train/model_shape.hpp"
#include "lazylogit/train/prior_setup.hpp"

namespace lazylogit::train {

TrainResult train(data::Dataset& data, const TrainOptions& options, const data::Rows* holdout,
                  const model::Model* warm_start, optim::Observer& observer, Log& log,
                  const CancelToken& cancel) {
  (void)holdout;
  (void)warm_start;
  (void)log;
  const prior::AnyPrior prior = make_prior(options);
  const model::Shape shape = make_shape(data.x.num_features, data.classes, options);
  const prior::PriorTable table(
      prior, options.prior_intercept ? shape.size() : shape.num_features * shape.stride(), shape.size());
  optim::FitRequest request;
  request.problem = {.x = &data.x,
                     .labels = data.labels.span(),
                     .weights = data.weights.span(),
                     .offsets = data.offsets.span(),
                     .shape = shape,
                     .prior = &table};
  const math::Vector start(shape.size(), 0.0);
  request.start = start;
  request.gap = options.gap;
  request.max_passes = options.max_passes;
  request.max_seconds = options.max_seconds;
  request.observer = &observer;
  request.cancel = cancel;
  const optim::OptimizerEntry& optimizer = options.optimizer == "auto"
                                               ? optim::choose_optimizer(request.problem)
                                               : optim::find_optimizer(options.optimizer);
  TrainResult result;
  result.fit = optimizer.run(request);
  model::Model& model = result.model;
  model.shape = shape;
  model.coefficients = std::move(result.fit.coefficients);
  model.classes = data.classes;
  model.features = std::move(data.features);
  model.input = data.input;
  model.idf = data.idf;
  model::TrainingRecord& record = model.record;
  record.prior = options.prior;
  record.prior_json = prior_json(prior);
  record.optimizer = optimizer.name;
  record.termination = optim::termination_name(result.fit.reason);
  record.termination_message = result.fit.message;
  record.iterations = result.fit.iterations;
  record.passes = result.fit.passes;
  record.num_examples = data.num_rows();
  const objective::ErrorParts parts = objective::evaluate_error(request.problem, model.coefficients);
  record.log_likelihood = parts.log_likelihood;
  record.penalty = parts.penalty;
  record.log_prior = table.log_prior(model.coefficients.data(), shape.stride(), shape.num_vectors());
  record.certificate =
      objective::certify(request.problem, model.coefficients, {&model.features, &model.classes});
  return result;
}

}  // namespace lazylogit::train
