// The prior's share of a duality gap: R(t) + R*(−g) + t g ≥ 0, coefficient by coefficient (Fenchel–Young).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/prior/smooth_part.hpp"

namespace lazylogit::objective {

// l1 and l2 of a convex prior: R(t) = l1 |t| + l2 t²/2.
struct Strength {
  double l1 = 0, l2 = 0;
};
inline Strength strength(const prior::Uniform&) { return {}; }
inline Strength strength(const prior::Gaussian& p) { return {0, p.precision}; }
inline Strength strength(const prior::Laplace& p) { return {p.l1, 0}; }
inline Strength strength(const prior::ElasticNet& p) { return {p.l1, p.l2}; }
inline Strength strength(const prior::Cauchy&) { return {}; }

// R(t) + R*(−g) + t g ≥ 0; |g| ≤ l1 where l2 = 0.
inline double fenchel_young(Strength s, double t, double g) noexcept {
  if (s.l1 == 0 && s.l2 > 0) {  // as below, without a look at signs, which nobody foresees
    const double off = t + g / s.l2;
    return 0.5 * s.l2 * off * off;
  }
  const double excess = std::abs(g) - s.l1;
  if (excess <= 0 || s.l2 == 0) return std::max(0.0, s.l1 * std::abs(t) + t * g) + 0.5 * s.l2 * t * t;
  const double best = std::copysign(excess / s.l2, -g);  // where R'(best) = −g
  const double wrong_side = s.l1 * (std::abs(t) - (best > 0 ? t : -t));
  return 0.5 * s.l2 * (t - best) * (t - best) + std::max(0.0, wrong_side);
}

// One derivative of the likelihood out of a gradient that has the prior's smooth part in it (Posterior::without_prior).
template <class View>
double without_smooth_part(const View& view, std::span<const double> b, std::span<const double> gradient,
                           std::size_t i) noexcept {
  return view.penalized(i) ? gradient[i] - prior::smooth_part(view.at(i)).gradient(b[i] - view.mean(i))
                           : gradient[i];
}

// R(t) + R*(−g) + t g of coefficients with a common covariance V = P⁻¹: ½ (P t + g)ᵀ V (P t + g).
inline double coupled_gap(const prior::PriorTable& prior, const prior::Coupling& coupling,
                          std::span<const double> b, std::span<const double> g) {
  const std::vector<double> t = prior.shifted(b.data());
  math::Vector u(g.begin(), g.end());
  coupling.add_product(t, u);
  const std::size_t m = coupling.group_size();
  for (std::size_t k = 0; k < coupling.coordinates().size(); ++k) {
    const std::size_t i = coupling.coordinates()[k];
    u[i] += coupling.precision(k % m, k % m) * t[i];
  }
  return std::max(0.0, coupling.dual_value(u));
}

// The sum over all coefficients of a prior without a coupling's share but with it where there is one. `tau_of(i)` is what
// g_i is multiplied by. Free coefficients, whose g must be 0, count for nothing.
template <class View, class TauOf>
double prior_gap(const Problem& problem, const View& view, std::span<const double> b,
                 std::span<const double> g, const TauOf& tau_of) {
  const std::size_t stride = problem.shape.stride(), vectors = problem.shape.num_vectors();
  double gap = 0;
  std::vector<bool> done(g.size(), false);
  if (const prior::Coupling* coupling = problem.prior->coupling()) {
    gap += coupled_gap(*problem.prior, *coupling, b, g);
    for (const std::size_t i : coupling->coordinates()) done[i] = true;
  }
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (i % stride >= vectors || view.pinned(i) || done[i] || !view.penalized(i)) continue;
    const Strength s = strength(view.at(i));
    if (s.l1 == 0 && s.l2 == 0) continue;
    gap += fenchel_young(s, b[i] - view.mean(i), tau_of(i) * g[i]);
  }
  return gap;
}

// What g_i may at most be multiplied by: 1, or less where an L1 prior without curvature bounds it; a negative number where
// a coefficient without a prior (an intercept apart, if `intercepts_are_zero`) has g_i ≠ 0, which nothing repairs.
template <class View>
double dual_scale(const Problem& problem, const View& view, std::size_t i, double g,
                  bool intercepts_are_zero) {
  if (view.pinned(i) || g == 0) return 1;
  const bool intercept = i >= problem.shape.num_features * problem.shape.stride();
  const Strength s = view.penalized(i) ? strength(view.at(i)) : Strength{};
  if (s.l2 > 0) return 1;
  if (s.l1 == 0) return intercept && intercepts_are_zero ? 1 : -1;
  return std::min(1.0, s.l1 / std::abs(g));
}

}  // namespace lazylogit::objective
