#include "lazylogit/train/posterior_at.hpp"

#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::train {

model::PosteriorApproximation posterior_at(const Prepared& prepared, const prior::PriorTable& prior,
                                           std::span<const double> b, bool full, const bayes::Names& names,
                                           const CancelToken& cancel) {
  objective::Problem problem = prepared.problem();
  problem.prior = &prior;
  const model::Shape& shape = prepared.shape;
  model::TrainingRecord record;
  record.num_examples = prepared.num_examples;
  record.log_likelihood = objective::evaluate_error(problem, b).log_likelihood;
  record.log_prior = prior.log_prior(b.data(), shape.stride(), shape.num_vectors());
  const auto kind = full ? model::PosteriorKind::full : model::PosteriorKind::diagonal;
  return bayes::approximate_posterior(problem, b, record, {.kind = kind}, names, cancel);
}

}  // namespace lazylogit::train
