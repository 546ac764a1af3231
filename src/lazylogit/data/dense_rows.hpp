// Compressed sparse rows from a dense matrix.
#pragma once

#include <cstddef>

#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::data {

// `values` is the matrix by rows; zeros are left out. Takes the memory of the values over where nothing is left out.
SparseMatrix sparse_from_dense(Buffer<double> values, std::size_t num_rows, std::size_t num_columns);

}  // namespace lazylogit::data
