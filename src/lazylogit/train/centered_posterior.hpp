// The posterior of coefficients of centred columns, in the units of the model: T Σ Tᵀ (objective/centering.hpp).
#pragma once

#include "lazylogit/model/posterior_approximation.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

// With centers a Gaussian can be said in other coordinates, samples and variational bounds are of rows as they are: ConfigError
// for these.
void check_centered_posterior(const Prepared& prepared, const TrainOptions& options);

// The intercept takes part afterwards, also where it was pinned. Of a covariance that is diagonal, or diagonal minus F Fᵀ, in
// centred coordinates the model holds the variances of its own coefficients and T F; what the diagonal part leaves between the
// intercept and the others, −m_i base_i, follows from the model's centers (model/score_covariance.hpp).
void to_original_units(const Prepared& prepared, model::PosteriorApproximation& posterior);

}  // namespace lazylogit::train
