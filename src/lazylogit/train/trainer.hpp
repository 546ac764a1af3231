// From a data set and options to a model: builds shape, prior and problem, runs the optimizer, certifies,
// records.
#pragma once

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

struct TrainResult {
  model::Model model;
  optim::FitSummary fit;  // coefficients moved into the model
};

// Throws ConfigError before any work for options that contradict each other or the data; never for not
// converging. `holdout` may be null; `warm_start` may be null. Moves the names out of `data`; the matrix is
// left as it was. With a kernel, apply_kernel() (kernel_features.hpp) has been called on `data` and map_rows() on `holdout`.
TrainResult train(data::Dataset& data, const TrainOptions& options, const data::Rows* holdout,
                  const model::Model* warm_start, optim::Observer& observer, Log& log,
                  const CancelToken& cancel);

}  // namespace lazylogit::train
