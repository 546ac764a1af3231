// Which optimizer runs, and with which settings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lazylogit/base/error.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/batch/batch_settings.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// The prior of two coefficients under these options, without what files say: enough to ask optimizers about it.
prior::PriorTable sample_prior(const TrainOptions& options);

// By name; "auto" is the best one for the problem.
optim::Choice choice_of(const std::string& name, const objective::Problem& problem);

// The same, of the options. Throws ConfigError for a name that does not exist and a problem that the optimizer refuses.
optim::Choice choose_optimizer(const TrainOptions& options, const objective::Problem& problem);

// What an optimizer is asked about: of the problem, or before there is one, by the options and their sample_prior.
optim::Conditions conditions_of(const objective::Problem& problem);
optim::Conditions conditions_of(const TrainOptions& options, const prior::PriorTable& prior);

// Everything about the options but the optimizer that can be said without data: parameters of another prior,
// contradictions. Throws ConfigError.
void check_options(const TrainOptions& options);
// The same about the optimizer to train with: options that mean nothing to it (option_owners.hpp), a prior or centred
// columns that it refuses; files of priors may change that.
void check_optimizer(const TrainOptions& options);

// With held-out data: after how many passes without a lower loss there to stop; nothing for never. Unless asked
// otherwise, exact optimizers (and nullptr) never do.
std::optional<std::uint64_t> patience_of(const TrainOptions& options, const optim::OptimizerEntry* optimizer);

// Throws ConfigError for a time or its unit given to a learning rate that does not fall with time.
void check_schedule(const TrainOptions& options);
// What speaks against the schedule that was asked for, of this optimizer; it is used all the same.
std::optional<ErrorDetail> schedule_warning(const TrainOptions& options, std::string_view optimizer);

optim::StochasticSettings stochastic_settings(const TrainOptions& options);
optim::BatchSettings batch_settings(const TrainOptions& options);

}  // namespace lazylogit::train
