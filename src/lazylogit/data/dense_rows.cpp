#include "lazylogit/data/dense_rows.hpp"

namespace lazylogit::data {

SparseMatrix sparse_from_dense(Buffer<double> values, std::size_t num_rows, std::size_t num_columns) {
  SparseMatrix x;
  x.num_features = num_columns;
  x.row_offsets.resize(num_rows + 1);
  x.row_offsets[0] = 0;
  x.ids.resize(values.size());
  std::size_t at = 0;
  for (std::size_t j = 0; j < num_rows; ++j) {
    for (std::size_t m = 0; m < num_columns; ++m) {
      const double value = values[j * num_columns + m];
      if (value == 0) continue;
      x.ids[at] = static_cast<FeatureId>(m);
      values[at++] = value;
    }
    x.row_offsets[j + 1] = at;
  }
  x.ids.resize(at);
  values.resize(at);
  x.values = std::move(values);
  return x;
}

}  // namespace lazylogit::data
