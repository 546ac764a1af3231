// From arrays of Python's to rows: what can be read where it lies is borrowed, the rest is copied once.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>

#include "lazylogit/data/dataset.hpp"

namespace lazylogit::python {

template <class T>
using Array = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
template <class T>
using Matrix = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;

// Rows in compressed form. Indices of 32 bits and values are borrowed; rows whose indices are not strictly ascending or that
// store a zero are refused by canonical() before.
template <class Index, class Value>
data::Rows rows_of_csr(const Array<Index>& row_ends, const Array<Index>& ids, const Array<Value>& values,
                       std::size_t num_features);

// Whether indices ascend strictly within rows, lie below the number of features, and no stored value is zero.
template <class Index, class Value>
bool is_canonical(const Array<Index>& row_ends, const Array<Index>& ids, const Array<Value>& values,
                  std::size_t num_features);

// A dense matrix; its zeros are not stored.
template <class Value>
data::Rows rows_of_dense(const Matrix<Value>& x);

}  // namespace lazylogit::python
