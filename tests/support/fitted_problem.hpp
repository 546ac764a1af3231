// The optimum of a small problem and the record that posteriors are made with.
#pragma once

#include "lazylogit/model/model.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit::test {

inline math::Vector optimum(const objective::Problem& problem) {
  math::Vector start(problem.shape.size(), 0.0);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = problem.prior->mean(i);
  optim::FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = 1e-10;
  return optim::find_optimizer("newton").run(request).coefficients;
}

inline model::TrainingRecord record_of(const objective::Problem& problem, const math::Vector& b) {
  model::TrainingRecord record;
  const objective::ErrorParts parts = objective::evaluate_error(problem, b);
  record.log_likelihood = parts.log_likelihood;
  record.penalty = parts.penalty;
  record.log_prior = problem.prior->log_prior(b.data(), problem.shape.stride(), problem.shape.num_vectors());
  record.num_examples = problem.x->num_rows();
  return record;
}

}  // namespace lazylogit::test
