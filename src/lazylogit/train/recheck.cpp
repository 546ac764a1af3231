#include "lazylogit/train/recheck.hpp"

#include <utility>

#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/fewest_features.hpp"
#include "lazylogit/objective/newton_bound.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/train/findings.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

Recheck recheck(const model::Model& model, const data::Rows& rows, Log& log, double gap,
                const CancelToken& cancel) {
  const Prepared prepared = prepare_check(model, rows, log);
  const objective::Problem problem = prepared.problem();
  Recheck result;
  const math::Vector b = prepared.centered(model.coefficients);
  result.parts = objective::evaluate_error(problem, b);
  result.log_prior = prepared.prior.log_prior(b.data(), model.shape.stride(), model.shape.num_vectors());
  const objective::CertificateNames names{&model.features, &model.classes};
  result.certificate = objective::certify(problem, b, names);
  result.optimal = objective::shows_optimum(problem, b, result.certificate, gap);
  const auto interrupted = [&] { return cancel.cancelled(); };
  if (!result.certificate.relative_gap && objective::has_seen_free_feature(problem)) {
    // Beyond the size of a proof a whole search takes many passes: only where nothing else speaks against an optimum.
    const bool whole = result.optimal || problem.shape.size() <= objective::newton_bound_limit;
    auto separation = whole
                          ? objective::find_separation(problem, b, interrupted)
                          : objective::complete_separation(problem, objective::free_coordinates(problem), b);
    if (separation) {
      separation = objective::with_fewest_features(problem, objective::free_coordinates(problem),
                                                   std::move(*separation), interrupted);
      result.separation = separation_message(prepared, names, *separation);
      result.optimal = false;
    }
  }
  result.num_examples = prepared.num_examples;
  return result;
}

}  // namespace lazylogit::train
