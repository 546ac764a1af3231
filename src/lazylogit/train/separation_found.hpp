// Separation after training: whether it is why a stochastic fit came to no end, and by what it is named.
#pragma once

#include <functional>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/optim/optimizer.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

// Stochastic fits do not watch for separation while they run. Where features have no prior this looks at the end, as exact
// optimizers do: one pass; where that finds nothing and no certificate proves a finite optimum, a search with bounded work,
// that takes at most about as many passes as the fit did. What is found becomes the fit's reason.
void look_for_separation(const optim::FitRequest& request, const std::function<bool()>& interrupted,
                         optim::FitSummary& fit);

// Of a fit that ended by separation: the message names few features that are enough, so that they can be looked at.
void explain_separation(const Prepared& prepared, const data::Dataset& data,
                        const std::function<bool()>& interrupted, optim::FitSummary& fit);

}  // namespace lazylogit::train
