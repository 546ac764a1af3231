// The two inner loops of every pass: scores of a row, and the scatter of a row into a gradient.
//
//   add_scores:  s_c += Σ_i x_i b_{i,c}          scatter:  g_{i,c} += x_i r_c          (feature-major, stride
//   S)
//
// Padding is part of the loops: b and r are 0 there. Strides 1, 2, 4 and multiples of 8 only
// (model/shape.hpp).
#pragma once

#include <cstddef>

#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::objective {

template <class Value>
double dot_row(const data::RowView<Value>& row, const double* b) noexcept {
  // Four chains: the additions of one would wait for each other.
  double sum[4] = {0, 0, 0, 0};
  const std::size_t n = row.size();
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (std::size_t u = 0; u < 4; ++u) sum[u] += row.value(k + u) * b[row.ids[k + u]];
  for (; k < n; ++k) sum[0] += row.value(k) * b[row.ids[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

template <std::size_t Width, class Value>
void add_scores_chunk(const data::RowView<Value>& row, const double* b, std::size_t stride,
                      double* s) noexcept {
  double sum[Width];
  for (std::size_t c = 0; c < Width; ++c) sum[c] = s[c];
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double x = row.value(k);
    const double* from = b + static_cast<std::size_t>(row.ids[k]) * stride;
    for (std::size_t c = 0; c < Width; ++c) sum[c] += x * from[c];
  }
  for (std::size_t c = 0; c < Width; ++c) s[c] = sum[c];
}

template <class Value>
void add_scores(const data::RowView<Value>& row, const double* b, std::size_t stride, double* s) noexcept {
  if (stride == 2) return add_scores_chunk<2>(row, b, stride, s);
  if (stride == 4) return add_scores_chunk<4>(row, b, stride, s);
  for (std::size_t c = 0; c < stride; c += 8) add_scores_chunk<8>(row, b + c, stride, s + c);
}

template <class Value>
void scatter_one(const data::RowView<Value>& row, double r, double* g) noexcept {
  for (std::size_t k = 0; k < row.size(); ++k) g[row.ids[k]] += row.value(k) * r;
}

template <std::size_t Width, class Value>
void scatter_chunk(const data::RowView<Value>& row, const double* r, std::size_t stride, double* g) noexcept {
  double residual[Width];
  for (std::size_t c = 0; c < Width; ++c) residual[c] = r[c];
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double x = row.value(k);
    double* to = g + static_cast<std::size_t>(row.ids[k]) * stride;
    for (std::size_t c = 0; c < Width; ++c) to[c] += x * residual[c];
  }
}

template <class Value>
void scatter(const data::RowView<Value>& row, const double* r, std::size_t stride, double* g) noexcept {
  if (stride == 2) return scatter_chunk<2>(row, r, stride, g);
  if (stride == 4) return scatter_chunk<4>(row, r, stride, g);
  for (std::size_t c = 0; c < stride; c += 8) scatter_chunk<8>(row, r + c, stride, g + c);
}

}  // namespace lazylogit::objective
