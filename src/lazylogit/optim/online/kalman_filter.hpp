// Linear regression from a stream, exact after every example: the online learner `adf` under the squared loss.
//
// With normal noise of variance 1 and a Gaussian prior the belief over the coefficients stays Gaussian: N(b, (RᵀR)⁻¹) with
// R b = z, R upper triangular. It begins as R = diag(√precision); an example (x, y) of weight w is one more row √w (x | y)
// that rotations fold into (R | z). What is left of y is Σ w (y − f)² + penalty at the optimum so far. So after any number
// of examples b is the optimum of `train --loss squared` on them, and the covariance its posterior at unit noise; an
// intercept without a prior has precision 0, exactly. Cost: d² per example, d the features so far.
//
// Beyond `most_full` features the belief is kept as independent variances, v ← v − (v x)²/s, m ← m + v x (y − f)/s,
// s = Σ v x² + 1/w: an approximation.
//
//   record of a feature, full = [ z | its row of R, the intercept's column first ];   diagonal = [ m | v ]
//   scalars: examples, squares (what is left of y)
#pragma once

#include <memory>

#include "lazylogit/optim/online/online_learner.hpp"

namespace lazylogit::optim {

inline constexpr std::size_t most_full = 2000;

std::unique_ptr<OnlineLearner> make_kalman_filter(const OnlineSettings& settings);

}  // namespace lazylogit::optim
