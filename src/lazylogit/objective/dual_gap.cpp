#include "lazylogit/objective/dual_gap.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "lazylogit/objective/fenchel_young.hpp"
#include "lazylogit/objective/separation.hpp"

namespace lazylogit::objective {
namespace {

struct Repair {
  double epsilon = 0;
  std::vector<double> r;  // one entry per class
};

// The smallest mixture that makes the class totals right for every class whose intercept is free.
Repair repair_intercepts(const Problem& problem, std::span<const double> gradient, double total,
                         const std::vector<double>& counts, const std::vector<bool>& free_intercept) {
  const model::Shape& shape = problem.shape;
  Repair repair;
  repair.r.assign(shape.num_classes, 0.0);
  double epsilon = 0, free_excess = 0, free_mass = 0;
  std::size_t num_free = 0;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    if (!free_intercept[v]) continue;
    ++num_free;
    const double excess = gradient[shape.intercept_index(v)];  // M − N
    const double mass = counts[static_cast<std::size_t>(shape.class_of(v))] + excess;
    if (excess > 0 && mass > 0) epsilon = std::max(epsilon, excess / mass);
    free_excess += excess;
    free_mass += mass;
  }
  const double others = total - free_mass;  // mass of the classes that are not constrained
  // With every class free the two are 0 but for rounding.
  if (num_free < shape.num_classes && free_excess < 0 && others > 0)
    epsilon = std::max(epsilon, -free_excess / others);
  repair.epsilon = std::min(1.0, epsilon);
  if (repair.epsilon == 0) return repair;
  double given = 0;
  std::size_t open = 0;
  for (std::size_t c = 0; c < shape.num_classes; ++c) {
    const auto v = shape.vector_of(static_cast<ClassId>(c));
    if (v && free_intercept[*v]) {
      const double excess = gradient[shape.intercept_index(*v)];
      repair.r[c] = std::max(0.0, (counts[c] + excess - excess / repair.epsilon) / total);
      given += repair.r[c];
    } else {
      ++open;
    }
  }
  for (std::size_t c = 0; c < shape.num_classes; ++c) {
    const auto v = shape.vector_of(static_cast<ClassId>(c));
    if (!(v && free_intercept[*v])) repair.r[c] = std::max(0.0, 1 - given) / static_cast<double>(open);
  }
  if (open ==
      0) {  // all classes free: r sums to 1 up to rounding, and a residual of that size needs no repair
    if (!(given > 0.5 && given < 2)) repair.epsilon = 0;
    for (double& r : repair.r) r /= std::max(given, 0.5);
  }
  return repair;
}

// Of a class that no row of positive weight has, a free intercept goes to −∞: no mixture makes its total 0. Puts the
// intercepts where such classes have no probability left; false when there are none.
bool leave_empty_classes(const model::Shape& shape, const std::vector<double>& counts,
                         const std::vector<bool>& free_intercept, math::Vector& b) {
  constexpr double never = 1e9;   // exp(−1e9) is 0, whatever the other scores are
  constexpr double hardly = 1e4;  // the same against scores that all have to keep their digits
  bool any = false;
  for (std::size_t c = 0; c < shape.num_classes; ++c) {
    if (counts[c] > 0) continue;
    if (const auto v = shape.vector_of(static_cast<ClassId>(c))) {
      if (!free_intercept[*v]) continue;
      b[shape.intercept_index(*v)] = -never;
      any = true;
    } else if (std::find(free_intercept.begin(), free_intercept.end(), false) == free_intercept.end()) {
      for (std::size_t w = 0; w < shape.num_vectors(); ++w) b[shape.intercept_index(w)] += hardly;
      any = true;
    }
  }
  return any;
}

// Whether it takes no look to know that the first `count` coefficients have priors with curvature.
template <class View>
bool all_curved(const View& view, std::size_t count) {
  if constexpr (View::shared)
    return view.num_penalized >= count && strength(view.prior).l2 > 0;
  else
    return false;
}

// `as_it_is`: classes without rows have been dealt with.
std::optional<GapBound> class_gap(Posterior& objective, std::span<const double> b,
                                  std::span<const double> gradient, double error, bool with_prior,
                                  bool as_it_is) {
  const Problem& problem = objective.problem();
  const model::Shape& shape = problem.shape;
  const std::size_t vectors = shape.num_vectors(), stride = shape.stride();
  double total = 0;
  std::vector<double> counts(shape.num_classes, 0.0);
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j) {
    const double w = problem.weight(j);
    total += w;
    if (w > 0) counts[static_cast<std::size_t>(problem.labels[j])] += w;
  }
  return problem.prior->visit([&](const auto& view) -> std::optional<GapBound> {
    const auto strength_at = [&](std::size_t i) {
      return view.penalized(i) ? strength(view.at(i)) : Strength{};
    };
    std::vector<bool> free_intercept(vectors, false);
    bool any_free = false;
    if (shape.has_intercept)
      for (std::size_t v = 0; v < vectors; ++v) {
        const std::size_t i = shape.intercept_index(v);
        const Strength s = strength_at(i);
        free_intercept[v] = s.l1 == 0 && s.l2 == 0 && !view.pinned(i);
        any_free = any_free || free_intercept[v];
      }
    // The optimum is below the limit's error, too: its gap, and what b is above it.
    const bool empty_class = std::find(counts.begin(), counts.end(), 0.0) != counts.end();
    if (math::Vector limit(any_free && !as_it_is && empty_class ? b.begin() : b.end(), b.end());
        !limit.empty() && leave_empty_classes(shape, counts, free_intercept, limit)) {
      math::Vector slope(b.size());
      const double lower = objective.likelihood_gradient(limit, slope) + problem.prior->penalty(limit.data());
      std::optional<GapBound> bound = class_gap(objective, limit, slope, lower, false, true);
      if (bound) bound->gap += std::max(0.0, error - lower);
      return bound;
    }
    Repair repair;
    repair.r.assign(shape.num_classes, 0.0);
    if (any_free) repair = repair_intercepts(problem, gradient, total, counts, free_intercept);

    const auto slope_at = [&](std::size_t i) {
      return with_prior ? without_smooth_part(view, b, gradient, i) : gradient[i];
    };
    // g of the repaired point: (1−ε) g_p + ε Σ_j w_j x_j (r − y_j).
    math::Vector repaired;
    if (repair.epsilon > 0) {
      repaired.resize(shape.size());
      objective.likelihood().constant_residual(repair.r, repaired.data());
      for (std::size_t i = 0; i < repaired.size(); ++i)
        repaired[i] = slope_at(i) + repair.epsilon * (repaired[i] - slope_at(i));
    }
    const auto g_at = [&](std::size_t i) { return repair.epsilon > 0 ? repaired[i] : slope_at(i); };
    double tau = 1;
    const std::size_t features = shape.num_features * stride;
    // One prior with curvature: nothing bounds g.
    const bool bounded = !all_curved(view, features);
    bool any_free_feature = false;
    for (std::size_t row = 0; row < features && bounded; row += stride)
      for (std::size_t i = row; i < row + vectors; ++i) {
        if (view.pinned(i)) continue;
        const Strength s = strength_at(i);
        any_free_feature = any_free_feature || (s.l1 == 0 && s.l2 == 0);
        if (s.l2 > 0 || g_at(i) == 0) continue;
        if (s.l1 == 0) return std::nullopt;
        tau = std::min(tau, s.l1 / std::abs(g_at(i)));
      }
    if (any_free_feature && has_seen_free_feature(problem)) return std::nullopt;
    if (shape.has_intercept)
      for (std::size_t v = 0; v < vectors; ++v) {
        const std::size_t i = shape.intercept_index(v);
        const Strength s = strength_at(i);
        if (!view.pinned(i) && s.l2 == 0 && s.l1 > 0 && g_at(i) != 0)
          tau = std::min(tau, s.l1 / std::abs(g_at(i)));
      }
    GapBound bound;
    std::vector<bool> done;
    if (const prior::Coupling* coupling = problem.prior->coupling()) {
      done.assign(b.size(), false);
      bound.gap += coupled_gap(*problem.prior, *coupling, b, repair.epsilon > 0 ? repaired : gradient);
      for (const std::size_t i : coupling->coordinates()) done[i] = true;
    }
    for (std::size_t row = 0; row < b.size(); row += stride)
      for (std::size_t i = row; i < row + vectors; ++i) {
        if (view.pinned(i) || (!done.empty() && done[i])) continue;
        const Strength s = strength_at(i);
        if (s.l1 == 0 && s.l2 == 0) continue;  // free: g is 0 there
        bound.gap += fenchel_young(s, b[i] - view.mean(i), tau * g_at(i));
      }
    if (repair.epsilon > 0 || tau < 1)
      bound.gap += objective.likelihood().mixture_divergence(b.data(), tau, repair.epsilon, repair.r);
    // Sums are compensated or split over shards; what is left is a few roundings of the terms.
    bound.rounding = 8 * 2.3e-16 * (std::abs(error) + total);
    bound.gap += bound.rounding;
    if (!std::isfinite(bound.gap)) return std::nullopt;
    return bound;
  });
}

}  // namespace

bool takes_priors_off(const Problem& problem) {
  return problem.shape.response == data::Response::classes && problem.choice_ends.empty() &&
         problem.prior->coupling() == nullptr;
}

std::optional<GapBound> dual_gap(Posterior& objective, std::span<const double> b,
                                 std::span<const double> gradient, double error, bool with_prior) {
  if (!objective.convex()) return std::nullopt;
  const Problem& problem = objective.problem();
  if (!problem.choice_ends.empty()) return choice_gap(objective, b, gradient, error);
  if (problem.shape.response == data::Response::number) return number_gap(objective, b, gradient, error);
  if (problem.shape.response == data::Response::labels) return label_gap(objective, b, gradient, error);
  return class_gap(objective, b, gradient, error, with_prior, false);
}

}  // namespace lazylogit::objective
