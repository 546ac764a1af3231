// The posterior of a linear regression at a noise variance other than 1.
//
// The fit minimises Σ w (y − f)²/2 + penalty, which is −log posterior where the noise has variance 1. With noise of
// variance s², coefficients keep their optimum if the prior is taken in units of the noise (a gaussian prior of variance V
// is one of variance V s², the conjugate one), and the covariance is s² H⁻¹. So
//   variance, covariance ← s² times theirs,      log p(y) ← log p(y/s) − n log s,
//   s² = Σ w (y − f)²/(n − effective parameters)    where it is estimated: lm's residual variance under a uniform prior.
// BIC and AIC are those of the likelihood at the given s², or at its most likely one, Σ w (y − f)²/n, which counts as a parameter.
#pragma once

#include <optional>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::bayes {

// `counts`: weights are numbers of rows, not precisions. `posterior` is the one at unit noise. InputError where s² is to be estimated and nothing is left to do so from.
void apply_noise(const objective::Problem& problem, const model::TrainingRecord& record,
                 std::optional<double> noise_variance, bool counts, model::PosteriorApproximation& posterior);

// f ± z √(Var f + s²): where a label lies with the probability `level`. `out.numbers` are there.
void number_bounds(const model::Model& model, const data::Rows& rows, double level, model::Predictions& out);

}  // namespace lazylogit::bayes
