// Adaptive gradient steps (gradient_steps.hpp) under several widths of the prior in the same walk over the rows: a row is
// looked up once, and vector instructions work on all models of it. Each model has the bits that it has alone.
//
//   record of a feature = [ b of each model | G of each model | 1/s | clock ]: s, N, S and the clock are the same for all
//
// For two classes with one vector, under Gaussian and Laplace priors; when a third class comes, every model goes on alone.
#pragma once

#include <memory>
#include <vector>

#include "lazylogit/optim/online/online_learner.hpp"

namespace lazylogit::optim {

// One learner for each of the settings, which differ in nothing but the width of the prior; none where this form has nothing to
// offer. All of them must be given the same calls of grow and learn_range, the first one first: it learns for all, and the others
// hand over what became of theirs. They cannot be restored.
std::vector<std::unique_ptr<OnlineLearner>> make_grid_steps(const std::vector<OnlineSettings>& settings);

}  // namespace lazylogit::optim
