// The mean log loss of held-out rows while a fit runs.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/shape.hpp"

namespace lazylogit::train {

// Coefficients (of columns less their `centers`, where there are any) → weighted mean of −log p over the rows whose label is known; NaN when there are none. `rows`
// and `centers` must outlive the function.
std::function<double(std::span<const double>)> make_holdout_loss(const data::Rows& rows,
                                                                 const model::Shape& shape,
                                                                 std::span<const double> centers = {});

}  // namespace lazylogit::train
