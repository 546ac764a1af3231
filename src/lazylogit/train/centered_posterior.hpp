// The posterior of coefficients of centred columns, in the units of the model: T Σ Tᵀ (objective/centering.hpp).
#pragma once

#include "lazylogit/model/posterior_approximation.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

// With centers only the whole covariance can be said in other coordinates: ConfigError for other kinds.
void check_centered_posterior(const Prepared& prepared, const TrainOptions& options);

// The intercept takes part afterwards, also where it was pinned. Needs PosteriorKind::full.
void to_original_units(const Prepared& prepared, model::PosteriorApproximation& posterior);

}  // namespace lazylogit::train
