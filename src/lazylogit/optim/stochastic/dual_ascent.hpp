// Stochastic dual coordinate ascent for several classes under one Gaussian prior: epochs whose error falls by a factor
// each, without a learning rate, where rows are short beside the prior (Shalev-Shwartz and Zhang 2013; Yu, Huang and Lin
// 2011 for the softmax).
//
// Every row j keeps a distribution q_j over the classes, at first its label y_j, and with σ² the prior's variance
//   b = σ² Σ_j w_j x_j (y_j − q_j)ᵀ
// holds at all times. At the optimum q_j = p_j, the model's distribution. A visit finds the q that maximises the dual in
// the place of q_j: with s = the scores of the row and a = w_j σ² |x_j|²,
//   q = softmax(s + a (q_j − q)),       t = ln q + const minimises ½ |t − s − a q_j|² + a ln Σ e^t,
// by Newton steps that cost O(k) each. The gap between error and dual is Σ_j w_j KL(q_j ‖ p_j); it falls by a factor of about
// e^{−1/(1 + a/4)} an epoch, so that this is for rows with a of a few units at most (normalised text).
//
// A free intercept is held near a center by a Gaussian of small variance, and the center moved to it after each epoch (the
// method of multipliers). Coefficients and distributions are in single precision: they lie far apart in memory, and a start
// is all that is wanted. Rows are visited in an order that depends on nothing but their number, by one thread.
#pragma once

#include <cstdint>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

// Whether the problem is of that kind and its rows are short.
bool dual_ascent_pays(const objective::Problem& problem);

// Ascends until the gap asked for seems to be reached, or `most_epochs`, or until an epoch brings little; the request must
// start where all coefficients with a prior are 0.
struct DualAscent {
  math::Vector coefficients;
  std::uint64_t epochs = 0;
};
DualAscent ascend_dual(const FitRequest& request, std::uint64_t most_epochs);

}  // namespace lazylogit::optim
