// The conditional logit: what rows must be to be candidates of choices, and what options mean nothing for them.
#pragma once

#include <cstdint>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// Throws ConfigError for options that mean nothing for choices.
void check_choice_options(const TrainOptions& options);
// The same, and InputError for data.
void check_choices(const data::Dataset& data, const TrainOptions& options);

// Features that are the same for all candidates of every choice, which are named: no choice depends on them. Where no prior says
// anything about their coefficients either, these are to stay at 0.
std::vector<FeatureId> common_features(const data::Dataset& data, const TrainOptions& options, Log& log);

// InputError unless every choice has one taken candidate, which the second of two classes says, and one weight.
void check_sets(const data::Rows& rows);

// Choices of positive weight.
std::uint64_t count_choices(const data::Rows& rows);

// The optimizer for choices where none is named: Newton steps while the Hessian is small, else coordinate descent where
// the prior has a kink, or L-BFGS.
optim::Choice choose_for_choices(const objective::Problem& problem);

}  // namespace lazylogit::train
