#include <algorithm>
#include <cmath>

#include "lazylogit/objective/dual_gap.hpp"
#include "lazylogit/objective/fenchel_young.hpp"

namespace lazylogit::objective {

std::optional<GapBound> number_gap(Posterior& objective, std::span<const double> b,
                                   std::span<const double> gradient, double error) {
  const Problem& problem = objective.problem();
  const model::Shape& shape = problem.shape;
  double total = 0, squares = 0;
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j) {
    const double w = problem.weight(j);
    total += w;
    squares += w * problem.targets[j] * problem.targets[j];
  }
  const double loss = std::max(0.0, error - problem.prior->penalty(b.data()));  // Σ w r²/2
  return problem.prior->visit([&](const auto& view) -> std::optional<GapBound> {
    math::Vector g(gradient.begin(), gradient.end());
    double mean = 0;
    bool free_intercept = false;
    if (shape.has_intercept && total > 0) {
      const std::size_t i = shape.intercept_index(0);
      const Strength s = view.penalized(i) ? strength(view.at(i)) : Strength{};
      free_intercept = s.l1 == 0 && s.l2 == 0 && !view.pinned(i);
      if (free_intercept) mean = gradient[i] / total;
      if (mean != 0) {
        const double shift = -mean;
        objective.likelihood().add_constant({&shift, 1}, g.data());
      }
    }
    double tau = 1;
    for (std::size_t i = 0; i < g.size(); ++i) tau = std::min(tau, dual_scale(problem, view, i, g[i], true));
    if (tau < 0) return std::nullopt;
    GapBound bound;
    bound.gap = prior_gap(problem, view, b, g, [&](std::size_t) { return tau; });
    // Σ w (r − τ(r − m))²/2 with Σ w r = m Σ w.
    bound.gap += (1 - tau) * (1 - tau) * loss + 0.5 * (2 - tau) * tau * mean * mean * total;
    // Predictions are of the size of the targets; their rounding enters the loss times the residuals.
    constexpr double ulp = 2.3e-16;
    bound.rounding = 8 * ulp * (std::abs(error) + std::sqrt(2 * loss * squares) + ulp * squares);
    bound.gap += bound.rounding;
    if (!std::isfinite(bound.gap)) return std::nullopt;
    return bound;
  });
}

}  // namespace lazylogit::objective
