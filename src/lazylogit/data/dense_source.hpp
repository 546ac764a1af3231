// Dense matrices read where they lie, whatever the strides: numpy's in C or Fortran order and slices of them, frames whose
// columns lie apart, Arrow's batches. Zeros are left out on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lazylogit/data/dense_cells.hpp"
#include "lazylogit/data/row_source.hpp"

namespace lazylogit::data {

// Consecutive rows whose columns are each in one place.
struct DenseBatch {
  std::size_t num_rows = 0;
  std::vector<DenseColumn> columns;
};

// A matrix of doubles, or of floats where every column is one of f32.
struct DenseRows {
  std::shared_ptr<const RowSource> source;  // null where a value is not finite
  bool is_single = false;
  double not_finite = 0;  // that value
  SparseMatrix matrix() const;
  std::size_t num_columns = 0;
};

// Looks at every value once. All batches have the same number of columns and the same types.
DenseRows dense_rows_over(std::vector<DenseBatch> batches, std::size_t num_columns);

}  // namespace lazylogit::data
