// What an observation does to a Gaussian belief over scores: the moments of belief times likelihood.
//
// Two classes: the score z ~ N(mean, variance) of a label whose probability is σ(z). Normaliser, mean and variance of
// N(z) σ(z)^w by the trapezoidal rule, whose error falls exponentially for functions like these (below 1e-8 here); for
// deviations above 50 by the probit form σ(z) ≈ Φ(z √(π/8)).
// More classes: independent scores a_c ~ N(m_c, v_c), likelihood softmax(a)_y^w. Laplace's approximation at the mode, whose
// Hessian diag(1/v + w p) − w p pᵀ is inverted by the formula of Sherman and Morrison.
#pragma once

#include <cstddef>
#include <span>

namespace lazylogit::optim {

struct ScoreMoments {
  double log_predictive = 0;  // log ∫ N(z) σ(z) dz: the log probability of the label, whatever the weight
  double mean = 0, variance = 0;
};
ScoreMoments logistic_moments(double mean, double variance, double weight);

// Replaces means and variances by those after the observation. log ∫ … is approximated by E softmax at scores shrunk by
// √(1 + π v/8) (MacKay 1992). Scores are k in number, or k − 1 with the first class fixed at 0 when `reference`; `label` is a
// position among them, −1 for the reference.
double softmax_moments(std::ptrdiff_t label, bool reference, double weight, std::span<double> means,
                       std::span<double> variances);

}  // namespace lazylogit::optim
