// Coordinate descent over the columns of the data: the method of choice for L1 priors.
//
// Two loops, one in the other:
//   1. a full gradient, the certificate, from it a working set of coefficients (working_set.hpp), and a proximal
//      Newton step on the set: the minimum of the quadratic model plus the prior's kinks (quadratic_model.hpp),
//      then a line search on the true error, which needs no pass over the data because the scores of the step
//      are known;
//   2. sweeps over the coordinates of the model, most of them over those away from their kinks alone, until they
//      move a fraction of what they moved at first: no precision is bought that the next step would throw away.
// A gradient costs less than a sweep of everything, so each step gets one: the set follows, and the fit ends as
// soon as the gap asked for is proved. Every step is exact about the curvature between classes.
//
//   line search:  F(b + t d) ≤ F(b) + 10⁻⁴ t Δ,   Δ = ∇f·d + Σ_i l_i (|b_i + d_i − m_i| − |b_i − m_i|)
//
// Takes every prior; Cauchy's curvature R'' is replaced by R'(t)/t, the curvature of the parabola above it,
// where it is negative. Needs the columns of the working sets (at most as much memory again) and three numbers for each row and
// vector.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

class Descent;

FitSummary run_coordinate(const FitRequest& request);

// Goes on from where another method stands. If it may leave, it does so for good, for Newton steps, where kinks meet columns
// so alike that sweeps crawl: the minimum of one model would take more work than several steps with a factored Hessian.
FitSummary coordinate_rounds(Descent& descent, bool may_leave = false);

}  // namespace lazylogit::optim
