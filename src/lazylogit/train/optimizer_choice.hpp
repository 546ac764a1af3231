// Which optimizer runs, and with which settings.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/batch/batch_settings.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// Whether the optimizer sees the data through an objective alone, so that centring costs it nothing; the others walk
// columns or single rows.
bool centers_itself(const optim::OptimizerEntry& optimizer);
// ConfigError about `option` where the problem has centers and the optimizer is one of the others.
void refuse_centers(const optim::OptimizerEntry& optimizer, const objective::Problem& problem,
                    const char* option);

// The prior of two coefficients under these options, without what files say: enough to ask optimizers about it.
prior::PriorTable sample_prior(const TrainOptions& options);
// Whether columns will be centred, files of priors aside: a free intercept takes up their means instead.
bool will_center(const TrainOptions& options);

// What auto takes.
optim::Choice automatic_choice(const objective::Problem& problem);

// By name, or the best one for the problem. Throws ConfigError for a name that does not exist, a prior that
// the optimizer refuses, and options that belong to the other kind of optimizer.
optim::Choice choose_optimizer(const TrainOptions& options, const objective::Problem& problem);

// Everything about the options but the optimizer that can be said without data: parameters of another prior,
// contradictions. Throws ConfigError.
void check_options(const TrainOptions& options);
// The same about the optimizer to train with: options that mean nothing to it, or to any that auto may take, and a
// prior that it refuses; files of priors may change that.
void check_optimizer(const TrainOptions& options);

// Throws ConfigError for an option that means nothing to any of these.
void check_some_use(const TrainOptions& options, const std::vector<const optim::OptimizerEntry*>& optimizers);

// With held-out data: after how many passes without a lower loss there to stop; nothing for never. Unless asked
// otherwise, exact optimizers (and nullptr) never do.
std::optional<std::uint64_t> patience_of(const TrainOptions& options, const optim::OptimizerEntry* optimizer);

optim::StochasticSettings stochastic_settings(const TrainOptions& options);
optim::BatchSettings batch_settings(const TrainOptions& options);

}  // namespace lazylogit::train
