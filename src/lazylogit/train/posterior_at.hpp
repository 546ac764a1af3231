// The posterior about the optimum under some prior, for comparing priors by their evidence.
#pragma once

#include <span>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

// b: the optimum under `prior`, which need not be the prepared one. `full`: with exact variances, else those of the
// diagonal. Throws InputError where the approximation does not exist.
model::PosteriorApproximation posterior_at(const Prepared& prepared, const prior::PriorTable& prior,
                                           std::span<const double> b, bool full, const bayes::Names& names,
                                           const CancelToken& cancel);

}  // namespace lazylogit::train
