#include "lazylogit/train/recheck.hpp"

#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

Recheck recheck(const model::Model& model, const data::Rows& rows, Log& log) {
  const Prepared prepared = prepare_check(model, rows, log);
  const objective::Problem problem = prepared.problem();
  Recheck result;
  const math::Vector b = prepared.centered(model.coefficients);
  result.parts = objective::evaluate_error(problem, b);
  result.log_prior = prepared.prior.log_prior(b.data(), model.shape.stride(), model.shape.num_vectors());
  result.certificate = objective::certify(problem, b, {&model.features, &model.classes});
  result.num_examples = prepared.num_examples;
  return result;
}

}  // namespace lazylogit::train
