// Sums and updates over one column of the data. A column that every row has is walked without its ids.
//
// What the model knows of a row lies side by side: rows are many more than a cache has room for, and a visit that moves its
// coefficient needs both numbers of each.
#pragma once

#include <cstddef>

#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/math/sparse_scores.hpp"

namespace lazylogit::optim {

// r_j and a_j of quadratic_model.hpp. Read as one number it is the residual, for sums over columns.
struct RowRecord {
  double residual = 0, weight = 0;
  explicit operator double() const noexcept { return residual; }
};

// Σ x_i y_i, in the order of math::sparse_dot; y are doubles or RowRecords.
template <class Value, class Number>
double column_dot(const data::RowView<Value>& column, std::size_t num_rows, const Number* y) noexcept {
  const std::size_t count = column.size();
  if (count != num_rows) {
    if constexpr (std::is_same_v<Value, data::One>)
      return math::sparse_dot(column.ids.data(), static_cast<const data::One*>(nullptr), count, y);
    else
      return math::sparse_dot(column.ids.data(), column.values, count, y);
  }
  double sum[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4)
    for (std::size_t u = 0; u < 4; ++u) sum[u] += column.value(k + u) * static_cast<double>(y[k + u]);
  for (; k < count; ++k) sum[0] += column.value(k) * static_cast<double>(y[k]);
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

struct ColumnSums {
  double slope = 0;   // Σ x_i r_i
  double square = 0;  // Σ x_i² a_i
  double cross = 0;   // Σ x_i a_i
};

template <class Value>
ColumnSums column_sums(const data::RowView<Value>& column, const RowRecord* records) noexcept {
  ColumnSums even, odd;
  const auto add = [&](ColumnSums& to, std::size_t k) {
    const RowRecord& record = records[column.ids[k]];
    const double x = column.value(k), xa = x * record.weight;
    to.slope += x * record.residual;
    to.cross += xa;
    to.square += x * xa;
  };
  std::size_t k = 0;
  for (; k + 2 <= column.size(); k += 2) add(even, k), add(odd, k + 1);
  if (k < column.size()) add(even, k);
  return {even.slope + odd.slope, even.square + odd.square, even.cross + odd.cross};
}

// y_i += x_i · step
template <class Value>
void column_add(const data::RowView<Value>& column, std::size_t num_rows, double step, double* y) noexcept {
  if (column.size() == num_rows)
    for (std::size_t k = 0; k < num_rows; ++k) y[k] += column.value(k) * step;
  else
    for (std::size_t k = 0; k < column.size(); ++k) y[column.ids[k]] += column.value(k) * step;
}

// r_i += x_i · a_i · step
template <class Value>
void column_add_weighted(const data::RowView<Value>& column, std::size_t num_rows, double step,
                         RowRecord* records) noexcept {
  const auto add = [&](RowRecord& record, std::size_t k) {
    record.residual += column.value(k) * step * record.weight;
  };
  if (column.size() == num_rows)
    for (std::size_t k = 0; k < num_rows; ++k) add(records[k], k);
  else
    for (std::size_t k = 0; k < column.size(); ++k) add(records[column.ids[k]], k);
}

}  // namespace lazylogit::optim
