// Bayesian online learning by assumed-density filtering (Opper 1998; Minka 2001): the online learner `adf`.
//
// A Gaussian belief N(m, v) over each coefficient, all independent. An example of values x looks at scores
// z ~ N(Σ m x, Σ v x²); score_belief.hpp gives their moments after it, z* and s*, and each coefficient of the example becomes
//   m ← m + v x (z* − z)/s,   v ← v − (v x)² (s − s*)/s²
// the Gaussian of the same moments. So every coefficient has a learning rate of its own, v, which falls with what was
// learned. Losses are −log of the probability of the label under the belief; their sum is −log evidence.
//
// Forgetting: at each example what was learned is multiplied by f (natural parameters, (1/v − 1/σ²) and m/v), so that the
// belief drifts back to the prior N(0, σ²); exactly lazy, because powers multiply.
//
//   record of a feature = [ m/v of each vector | 1/v − 1/σ² of each vector | examples at the last look ]
//
// The intercept has a variance of 10⁴ unless the prior holds for it.
#pragma once

#include <memory>

#include "lazylogit/optim/online/online_learner.hpp"

namespace lazylogit::optim {

std::unique_ptr<OnlineLearner> make_density_filter(const OnlineSettings& settings);

}  // namespace lazylogit::optim
