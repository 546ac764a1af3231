#include <algorithm>
#include <cmath>

#include "lazylogit/objective/dual_gap.hpp"
#include "lazylogit/objective/fenchel_young.hpp"
#include "lazylogit/objective/separation.hpp"

namespace lazylogit::objective {

// As for classes, but nothing is free of the prior that a constant could repair: there is no intercept.
std::optional<GapBound> choice_gap(Posterior& objective, std::span<const double> b,
                                   std::span<const double> gradient, double error) {
  const Problem& problem = objective.problem();
  return problem.prior->visit([&](const auto& view) -> std::optional<GapBound> {
    double tau = 1, total = 0;
    for (std::size_t i = 0; i < gradient.size(); ++i)
      tau = std::min(tau, dual_scale(problem, view, i, gradient[i], false));
    if (tau < 0 || has_seen_free_feature(problem)) return std::nullopt;
    for (std::size_t j = 0; j < problem.x->num_rows(); ++j) total += problem.weight(j);
    GapBound bound;
    bound.gap = prior_gap(problem, view, b, gradient, [&](std::size_t) { return tau; });
    if (tau < 1) bound.gap += objective.likelihood().choice_divergence(b.data(), tau);
    bound.rounding = 8 * 2.3e-16 * (std::abs(error) + total);
    bound.gap += bound.rounding;
    if (!std::isfinite(bound.gap)) return std::nullopt;
    return bound;
  });
}

}  // namespace lazylogit::objective
