// What Python sees of a model: arrays and dictionaries.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>

#include "fitting.hpp"

namespace lazylogit::python {

using Owned = nanobind::ndarray<nanobind::numpy, double>;

// An array of numpy's with memory of its own, filled by the caller.
Owned new_array(std::initializer_list<std::size_t> shape, double*& data);

// Rows × classes, in the order of the model's classes; the reference's scores are 0. Without the GIL.
Owned scores_of(const Fitted& fitted, const Table& table);
Owned probabilities_of(const Fitted& fitted, const Table& table);

// One number of every coefficient, vectors × features, or vectors × 1 for the intercepts (0 without one).
Owned coefficients_of(const model::Model& model, bool intercepts);
Owned standard_errors_of(const model::Model& model,
                         bool intercepts);  // throws ConfigError without a posterior

// Lower and upper bounds of every coefficient, intercepts last: (vectors × (features + 1), the same). As above.
nanobind::tuple intervals_of(const Fitted& fitted, double level);

nanobind::dict record_of(const Fitted& fitted);
nanobind::list trace_of(const Fitted& fitted);
nanobind::object tuning_of(const Fitted& fitted);

}  // namespace lazylogit::python
