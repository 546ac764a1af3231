// A rigorous bound on error(b) − min error for convex priors, from a point of the dual.
//
// For any row distributions q_j, with g = Σ_j w_j x_j (q_j − y_j) and R* the conjugate of the prior,
//   error(b) − min error ≤ Σ_j w_j KL(q_j ‖ p_j) + Σ_i [R_i(b_i) + R_i*(−g_i) + b_i g_i],
// a sum of terms ≥ 0 (Fenchel–Young), so nothing cancels. q starts as p, where the first sum is 0, and is
// then repaired where the second would be infinite:
//   free intercepts need Σ_j w_j (q_j − y_j) = 0:  q ← (1−ε) q + ε r with one distribution r for all rows,
//   an L1 prior without curvature needs |g_i| ≤ l_i:  q ← τ q + (1−τ) y, which scales g by τ.
// Where no row of positive weight is of a class, its free intercept has no optimum but −∞: the bound is then that of the
// point with that class left out, which costs a pass more.
// There is no such point (nothing is returned) when a coordinate other than an intercept is free and some row has its
// feature: derivatives that are exactly 0 are so by rounding then, as where probabilities have come so close to 0 and 1
// that the optimum may be at infinity.
#pragma once

#include <optional>
#include <span>

#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::objective {

struct GapBound {
  double gap = 0;  // ≥ error − optimum, rounding included but for that of scores (score_rounding.hpp)
  double rounding = 0;  // the part of it that allows for rounding
};

// `gradient`: of the likelihood alone at b (likelihood_gradient), or, `with_prior`, as value_and_gradient gives it; then the
// prior is taken off coordinate by coordinate, without a second vector (takes_priors_off). At most two passes.
std::optional<GapBound> dual_gap(Posterior& objective, std::span<const double> b,
                                 std::span<const double> gradient, double error, bool with_prior = false);
// Whether that is done for a problem: classes, and a prior for each coefficient by itself.
bool takes_priors_off(const Problem& problem);

// The same for other responses. A number: any residuals q_j are a point of the dual, with g = Σ_j w_j x_j q_j, and
//   error(b) − min error ≤ Σ_j w_j (r_j − q_j)²/2 + Σ_i [R_i(b_i) + R_i*(−g_i) + b_i g_i],     r_j = f_j − y_j;
// q = τ (r − mean r) needs one pass. Labels: the sum of the gaps of the labels, each with an ε, r and τ of its own.
std::optional<GapBound> number_gap(Posterior& objective, std::span<const double> b,
                                   std::span<const double> gradient, double error);
std::optional<GapBound> choice_gap(Posterior& objective, std::span<const double> b,
                                   std::span<const double> gradient, double error);
std::optional<GapBound> label_gap(Posterior& objective, std::span<const double> b,
                                  std::span<const double> gradient, double error);

}  // namespace lazylogit::objective
