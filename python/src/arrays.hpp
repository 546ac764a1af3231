// From arrays of Python's to rows, read where they lie. What is small is copied, which is faster to read.
//
// All throw std::invalid_argument (ValueError) for numbers that are not finite and for parts that do not fit together, in
// scikit-learn's words where it has some.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <vector>

#include "lazylogit/data/dense_source.hpp"
#include "table.hpp"

namespace lazylogit::python {

template <class T>
using Array = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;
// With strides of any kind.
template <class T>
using Matrix = nanobind::ndarray<const T, nanobind::ndim<2>, nanobind::device::cpu>;

// Compressed sparse rows, read where they lie but for the row ends. Nothing where indices do not ascend strictly within
// rows: the caller puts a copy in order.
template <class Index, class Value>
std::optional<Table> table_of_csr(const Array<Index>& row_ends, const Array<Index>& ids,
                                  const Array<Value>& values, std::size_t num_features);

// Compressed sparse columns, read where they lie. Nothing where a copy as rows is small or indices do not ascend strictly
// within columns.
template <class Index, class Value>
std::optional<Table> table_of_csc(const Array<Index>& column_ends, const Array<Index>& ids,
                                  const Array<Value>& values, std::size_t num_rows);

// Throws std::invalid_argument for a value that is not finite.
template <class Value>
void check_finite(const Value* values, std::size_t count);

// A dense matrix of any strides, read where it lies.
template <class Value>
Table table_of_dense(const Matrix<Value>& x);

// Columns that lie apart, in batches of rows. A copy is made where it is small against `input_bytes`.
Table table_of_batches(std::vector<data::DenseBatch> batches, std::size_t width, std::size_t input_bytes);

}  // namespace lazylogit::python
