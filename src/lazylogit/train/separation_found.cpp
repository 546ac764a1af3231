#include "lazylogit/train/separation_found.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/fewest_features.hpp"
#include "lazylogit/objective/newton_bound.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/train/findings.hpp"

namespace lazylogit::train {

void look_for_separation(const optim::FitRequest& request, const std::function<bool()>& interrupted,
                         optim::FitSummary& fit) {
  const objective::Problem& problem = request.problem;
  const bool proved = fit.certificate && fit.certificate->relative_gap;
  if (proved || fit.reason == optim::Termination::separation || !objective::has_free_feature(problem)) return;
  const std::vector<std::uint8_t> free = objective::free_coordinates(problem);
  auto found = objective::complete_separation(problem, free, fit.coefficients);
  if (!found && problem.shape.size() <= objective::newton_bound_limit) {
    fit.certificate = objective::certify(problem, fit.coefficients, request.names);
    if (fit.certificate->relative_gap) return;  // finite only where the optimum is
  }
  if (!found) {
    std::uint64_t asked = 0;
    const std::uint64_t most = std::max<std::uint64_t>(10, fit.passes / 2);  // each is two passes
    found = objective::quasi_separation(problem, free, fit.coefficients,
                                        [&] { return ++asked > most || interrupted(); });
  }
  if (!found) found = objective::decided_separation(problem, free, interrupted);
  if (!found) return;
  fit.reason = optim::Termination::separation;
  fit.completely_separated = found->complete;
  fit.separating_direction = std::move(found->direction);
}

void explain_separation(const Prepared& prepared, const data::Dataset& data,
                        const std::function<bool()>& interrupted, optim::FitSummary& fit) {
  const objective::Problem problem = prepared.problem();
  objective::Separation separation = objective::with_fewest_features(
      problem, objective::free_coordinates(problem),
      {fit.completely_separated, std::move(fit.separating_direction)}, interrupted);
  fit.message = separation_message(prepared, {&data.features, &data.classes}, separation);
  fit.completely_separated = separation.complete;
  fit.separating_direction = std::move(separation.direction);
}

}  // namespace lazylogit::train
