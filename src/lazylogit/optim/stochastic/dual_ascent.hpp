// Stochastic dual coordinate ascent for classes under one Gaussian prior: epochs whose error falls by a factor each,
// without a learning rate, where rows are short beside the prior (Shalev-Shwartz and Zhang 2013; Yu, Huang and Lin
// 2011 for two classes and the softmax).
//
// Every row j keeps a distribution q_j over the classes, at first its label y_j, and with σ² the prior's variance
//   b = σ² Σ_j w_j x_j (y_j − q_j)ᵀ
// holds at all times. At the optimum q_j = p_j, the model's distribution. A visit finds the q that maximises the dual in
// the place of q_j (logistic_dual.hpp, softmax_dual.hpp). The gap between error and dual is Σ_j w_j KL(q_j ‖ p_j); with
// a = w_j σ² |x_j|² it falls by a factor of about e^{−1/(1 + a/4)} an epoch or more, so that this is for rows with a of a few
// units at most (normalised text).
//
// Free intercepts are held near a center (held_intercepts.hpp). Coefficients are in single precision: they lie far apart in
// memory, and a start is all that is wanted. Rows are visited in an order that depends on nothing but their number, by one
// thread.
#pragma once

#include <cstdint>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

// Whether the problem is of that kind and its rows are short.
bool dual_ascent_pays(const objective::Problem& problem);

// Ascends until the gap asked for seems to be reached, or `most_epochs`, or until an epoch brings little; the request must
// start where all coefficients with a prior are 0. No epochs and no coefficients where the caller wants an end, or where the
// error of the last epoch, row by row before each visit, was not below that of coefficients that are all 0.
struct DualAscent {
  math::Vector coefficients;
  std::uint64_t epochs = 0;
};
DualAscent ascend_dual(const FitRequest& request, std::uint64_t most_epochs);

}  // namespace lazylogit::optim
