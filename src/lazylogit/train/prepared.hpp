// A problem ready to be optimized, with what it owns: weights, prior, shape. Built from data and options, or,
// for `check MODEL DATA`, from data and what a model records.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/constraints.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

struct Prepared {
  model::Shape shape;
  prior::PriorTable prior;
  std::vector<double> class_weights = {};  // empty: none
  std::vector<double> weights = {};        // of examples, class weights included; empty: all 1
  std::vector<ClassId> labels = {};        // only where the data's own cannot be used; else empty
  std::vector<double> targets = {};        // likewise
  const data::Rows* rows = nullptr;
  std::uint64_t num_examples = 0;  // of positive weight
  std::optional<optim::Bounds> bounds = {};
  // --standardize center where the intercept is not free: the means that are taken off the columns
  // (objective/centering.hpp). The problem's coefficients are then those of centred columns; a model has original ones.
  std::vector<double> centers = {};

  objective::Problem problem() const;
  math::Vector original(std::span<const double> b) const;  // coefficients of the problem → of a model
  // And back: pinned intercepts at their means, and those that are there but for rounding where the prior has a kink, off
  // which the optimum would not be found to be one.
  math::Vector centered(std::span<const double> b) const;
};

// `data` must outlive the result; its feature names get an index. Throws ConfigError for options that
// contradict each other or the data, InputError for data that cannot be trained on: no rows, one class only,
// numbers so large that sums overflow.
Prepared prepare(data::Dataset& data, const TrainOptions& options, Log& log);

// The means that the options take off the columns; empty where a free intercept takes them up by itself.
std::vector<double> centers_of(const TrainOptions& options, const model::Shape& shape,
                               const prior::PriorTable& prior, const data::FeatureMoments& moments);

// Whether the options make priors act on standardized coefficients.
bool scales_priors(const TrainOptions& options);

// The prior of every coefficient by the options and their prior file; with deviations of the features (feature_moments.hpp)
// scaled by them where the options ask for it.
prior::PriorTable make_prior_table(data::Dataset& data, const TrainOptions& options,
                                   const model::Shape& shape, std::span<const double> deviations, Log& log);

// Rows whose label the model does not know get weight 0, with a warning.
Prepared prepare_check(const model::Model& model, const data::Rows& rows, Log& log);

}  // namespace lazylogit::train
