// Which vectors a model has: one per class, or all but a reference class.
//
// Asked for by --reference or --symmetric; otherwise two classes have one vector, for the second class, and
// more have one per class under a proper prior, all but the first under the uniform prior (where one per
// class would not be identified).
#pragma once

#include "lazylogit/data/class_table.hpp"
#include "lazylogit/model/shape.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

// Throws ConfigError for a reference that is no class, or together with --symmetric.
model::Shape make_shape(std::size_t num_features, const data::ClassTable& classes,
                        const TrainOptions& options);

}  // namespace lazylogit::train
