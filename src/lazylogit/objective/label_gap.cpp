#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/objective/dual_gap.hpp"
#include "lazylogit/objective/fenchel_young.hpp"
#include "lazylogit/objective/separation.hpp"

namespace lazylogit::objective {
namespace {

using Mixture = Likelihood::LabelMixture;

// The smallest mixture with which the rows of a label add up to `count`, where p does to count + excess, of `total`.
Mixture repair_intercept(double excess, double count, double total) {
  const double mass = count + excess;
  Mixture mixture;
  if (excess > 0 && mass > 0)
    mixture = {.epsilon = std::min(1.0, excess / mass), .r = 0};
  else if (excess < 0 && total > mass)
    mixture = {.epsilon = std::min(1.0, -excess / (total - mass)), .r = 1};
  return mixture;
}

}  // namespace

std::optional<GapBound> label_gap(Posterior& objective, std::span<const double> b,
                                  std::span<const double> gradient, double error) {
  const Problem& problem = objective.problem();
  const model::Shape& shape = problem.shape;
  const std::size_t labels = shape.num_vectors(), stride = shape.stride();
  double total = 0;
  std::vector<double> counts(labels, 0.0);
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j) {
    const double w = problem.weight(j);
    total += w;
    for (const ClassId c : (*problem.label_sets)[j]) counts[static_cast<std::size_t>(c)] += w;
  }
  return problem.prior->visit([&](const auto& view) -> std::optional<GapBound> {
    std::vector<Mixture> mixtures(labels);
    bool any = false;
    if (shape.has_intercept)
      for (std::size_t v = 0; v < labels; ++v) {
        const std::size_t i = shape.intercept_index(v);
        const Strength s = view.penalized(i) ? strength(view.at(i)) : Strength{};
        if (s.l1 == 0 && s.l2 == 0 && !view.pinned(i))
          mixtures[v] = repair_intercept(gradient[i], counts[v], total);
        any = any || mixtures[v].epsilon > 0;
      }
    math::Vector g(gradient.begin(), gradient.end());
    if (any) {
      // Σ_j w_j x_j (r − y_j), r − y_j being what a model has that gives every row the same probability.
      std::vector<double> r(labels);
      for (std::size_t v = 0; v < labels; ++v) r[v] = mixtures[v].r;
      math::Vector toward(shape.size(), 0.0);
      objective.likelihood().constant_residual(r, toward.data());
      for (std::size_t i = 0; i < g.size(); ++i)
        if (i % stride < labels) g[i] += mixtures[i % stride].epsilon * (toward[i] - g[i]);
    }
    for (std::size_t i = 0; i < g.size(); ++i) {
      if (i % stride >= labels) continue;
      Mixture& mixture = mixtures[i % stride];
      mixture.tau = std::min(mixture.tau, dual_scale(problem, view, i, g[i], true));
      if (mixture.tau < 0) return std::nullopt;
      any = any || mixture.tau < 1;
    }
    if (has_seen_free_feature(problem)) return std::nullopt;
    GapBound bound;
    bound.gap = prior_gap(problem, view, b, g, [&](std::size_t i) { return mixtures[i % stride].tau; });
    if (any) bound.gap += objective.likelihood().label_divergence(b.data(), mixtures);
    bound.rounding = 8 * 2.3e-16 * (std::abs(error) + total * static_cast<double>(labels));
    bound.gap += bound.rounding;
    if (!std::isfinite(bound.gap)) return std::nullopt;
    return bound;
  });
}

}  // namespace lazylogit::objective
