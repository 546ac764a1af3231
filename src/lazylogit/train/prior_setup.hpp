// From the options about the prior to the prior of every coefficient.
#pragma once

#include <string>

#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/shape.hpp"
#include "lazylogit/prior/prior_table.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// The prior that the options give to a coefficient without a line of its own. Throws ConfigError for a family
// that does not exist, a parameter that belongs to another family, and values that are not positive.
prior::AnyPrior make_prior(const TrainOptions& options);

// One canonical JSON object: {"family":"gaussian","variance":1}; infinite values as "inf".
std::string prior_json(const prior::AnyPrior& prior);

}  // namespace lazylogit::train
