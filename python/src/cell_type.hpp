// Columns of numpy's as the engine reads them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "lazylogit/data/dense_cells.hpp"

namespace lazylogit::python {

using CellArray = nanobind::ndarray<nanobind::ro, nanobind::ndim<1>, nanobind::device::cpu>;

// Throws std::invalid_argument for types that are neither integers nor floats up to 64 bits nor booleans.
data::DenseColumn column_of(const CellArray& array);

}  // namespace lazylogit::python
