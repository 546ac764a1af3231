// The learning curve: fits on growing parts of the rows, each judged by itself and by the same rows held out.
//
// Parts are in geometric progression up to all rows, nested, and have the classes in proportion: rows are taken by their
// rank within their class (several labels: the rarest of them), which the seed shuffles. Choices are taken whole, and counted as rows. Where the two losses have met, more rows will not help but better
// features may; where they are still apart, more rows will, or a stronger prior.
#pragma once

#include <functional>
#include <vector>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/train/train_options.hpp"

namespace lazylogit::train {

struct CurvePoint {
  std::size_t rows = 0;
  // Losses and score of judgement.hpp: log loss and accuracy; mean squared error and R² of numbers.
  double train_loss = 0, held_out_loss = 0, held_out_score = 0;
};

// The sizes of the parts, ascending, the last one `rows`.
std::vector<std::size_t> curve_sizes(std::size_t rows, std::size_t num_classes);

// Parts that cannot be trained on (one class only) are left out. `on_point` may be empty.
std::vector<CurvePoint> learning_curve(const data::Dataset& data, const TrainOptions& options,
                                       const data::Rows& held_out,
                                       const std::function<void(const CurvePoint&)>& on_point,
                                       const CancelToken& cancel);

}  // namespace lazylogit::train
