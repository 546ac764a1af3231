// Probabilities straight from scipy's compressed rows: what predict_proba is asked for most, without a table in between.
//
// Some rows at a time are checked, scored and turned into probabilities while they are in the cache. Order and zeros do not
// matter. Values are looked at where a probability is 1 or NaN, as a value that is not finite makes it.
#pragma once

#include <optional>

#include "arrays.hpp"
#include "views.hpp"

namespace lazylogit::python {

// Rows × classes, in the order of the model's classes. Throws std::invalid_argument for parts that do not fit together,
// columns out of range and values that are not finite. Nothing for models that have other ways (kernels, numbers).
template <class Value>
std::optional<Owned> quick_probabilities(const Fitted& fitted, const Array<std::int32_t>& row_ends,
                                         const Array<std::int32_t>& ids, const Array<Value>& values,
                                         std::size_t num_features);

}  // namespace lazylogit::python
