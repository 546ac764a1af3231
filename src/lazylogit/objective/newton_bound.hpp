// A rigorous bound on error(b) − min error that needs no prior, from the Newton decrement.
//
// Along any direction v the third derivative of the likelihood is at most r(v) times the second, r(v) the
// largest spread of v's scores over the classes of one row (generalized self-concordance; Bach 2010). With H
// the Hessian of f at b, g a subgradient of the whole error, λ = ‖g‖ in the metric of H⁻¹ and
// ρ = max over rows of r in that metric, u = ρλ < 1 implies a finite optimum and
//   error(b) − min error ≤ (u + (1 − u) ln(1 − u)) / ρ²  ≈ λ²/2.
// Directions that no row sees (redundant columns, a common shift of free intercepts) change nothing and are
// left out. Needs the whole Hessian: for few coefficients. Of a number the third derivative is 0 and the bound is λ²/2; of
// labels, which do not see each other, the spread over the labels of a row is a bound too.
#pragma once

#include <optional>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/dual_gap.hpp"
#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::objective {

// The largest problem that newton_bound takes, in coefficients.
inline constexpr std::size_t newton_bound_limit = 512;

// `subgradient`: of the error at b, of least size. Nothing when u ≥ 1, the prior is not convex, or the
// problem is too large.
std::optional<GapBound> newton_bound(Posterior& objective, std::span<const double> b,
                                     std::span<const double> subgradient, double error);

// The smallest eigenvalue of the Hessian of f at b over coordinates that are not fixed: exact for few
// coefficients, else the smallest one that some Lanczos steps find (never below the true one).
double smallest_curvature(Posterior& objective, std::span<const double> b);

// A direction of length 1 along which that curvature is negative beyond rounding; empty where there is none, or where
// the problem is too large to tell.
math::Vector direction_of_negative_curvature(Posterior& objective, std::span<const double> b);

}  // namespace lazylogit::objective
