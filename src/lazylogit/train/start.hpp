// Where a fit begins.
#pragma once

#include <cstdint>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/train/prepared.hpp"

namespace lazylogit::train {

// The prior means; free intercepts at the log of the class totals.
math::Vector default_start(const Prepared& prepared);
// As default_start for intercepts of stochastic training and other coefficients: the prior means alone.
math::Vector mean_start(const Prepared& prepared);

// A model's coefficients, matched by class and feature name (by position when features are hashed); what the
// model lacks starts at the prior mean. Throws ConfigError when the classes have nothing in common or a
// hashed model meets another number of features.
math::Vector warm_start(const Prepared& prepared, data::Dataset& data, const model::Model& model);

// A random start for restart number `restart` ≥ 1: the prior mean plus draws whose effect on the score of a
// typical example is of the same size for every feature.
math::Vector random_start(const Prepared& prepared, std::uint64_t seed, std::uint64_t restart);

}  // namespace lazylogit::train
