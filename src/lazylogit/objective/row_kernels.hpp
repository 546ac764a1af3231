// The inner loops of every pass: scores of a row, and the scatter of a row into a gradient or a diagonal.
//
//   scores:          s_c = start_c + Σ_i x_i b_{i,c}
//   scatter:         g_{i,c} += x_i r_c
//   scatter_squares: g_{i,c} += x_i² r_c                                     (feature-major, stride S)
//
// Padding is part of the loops: b and r are 0 there. Strides 1, 2, 4 and multiples of 8 only
// (model/shape.hpp). Several vectors are handled out of line, once per instruction set; all of them give the
// same bytes.
#pragma once

#include <cstddef>
#include <type_traits>

#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/math/sparse_scores.hpp"

namespace lazylogit::objective {

// Rows without gaps, as dense data has: Σ x_i b_i, and g_i += x_i r.
double dot_dense(const float* x, std::size_t count, const double* b) noexcept;
double dot_dense(const double* x, std::size_t count, const double* b) noexcept;
void scatter_dense(const float* x, std::size_t count, double r, double* g) noexcept;
void scatter_dense(const double* x, std::size_t count, double r, double* g) noexcept;

// Ids ascend, so the ends tell whether there is a gap.
template <class Value>
bool without_gaps(const data::RowView<Value>& row) noexcept {
  return row.size() >= 8 && row.ids.back() - row.ids.front() + 1 == row.size();
}

// One vector of coefficients that is more than a core's own cache holds is worth asking for, a row ahead.
// Rows of a source are gathered, one at a time.
template <class View>
bool prefetching_pays(const View& rows, std::size_t coefficients) noexcept {
  constexpr std::size_t out_of_cache = std::size_t{1} << 20;
  return coefficients * sizeof(double) >= out_of_cache && rows.source == nullptr;
}
template <class Value>
void prefetch_row(const data::RowView<Value>& row, const double* b) noexcept {
  for (const FeatureId id : row.ids) prefetch_to_change(b + id);
}

template <class Value>
double dot_row(const data::RowView<Value>& row, const double* b) noexcept {
  if (without_gaps(row)) return dot_dense(row.values, row.size(), b + row.ids.front());
  return math::sparse_dot(row.ids.data(), row.values, row.size(), b);
}
inline double dot_row(const data::RowView<data::One>& row, const double* b) noexcept {
  return math::sparse_dot(row.ids.data(), static_cast<const data::One*>(nullptr), row.size(), b);
}

// `start` may be `s`.
void scores(const data::RowView<float>& row, const double* b, std::size_t stride, const double* start,
            double* s) noexcept;
void scores(const data::RowView<double>& row, const double* b, std::size_t stride, const double* start,
            double* s) noexcept;
void scores(const data::RowView<data::One>& row, const double* b, std::size_t stride, const double* start,
            double* s) noexcept;

template <class Value>
void scatter_one(const data::RowView<Value>& row, double r, double* g) noexcept {
  if constexpr (!std::is_same_v<Value, data::One>)
    if (without_gaps(row)) return scatter_dense(row.values, row.size(), r, g + row.ids.front());
  for (std::size_t k = 0; k < row.size(); ++k) g[row.ids[k]] += row.value(k) * r;
}

void scatter(const data::RowView<float>& row, const double* r, std::size_t stride, double* g) noexcept;
void scatter(const data::RowView<double>& row, const double* r, std::size_t stride, double* g) noexcept;
void scatter(const data::RowView<data::One>& row, const double* r, std::size_t stride, double* g) noexcept;

void scatter_squares(const data::RowView<float>& row, const double* r, std::size_t stride,
                     double* g) noexcept;
void scatter_squares(const data::RowView<double>& row, const double* r, std::size_t stride,
                     double* g) noexcept;
void scatter_squares(const data::RowView<data::One>& row, const double* r, std::size_t stride,
                     double* g) noexcept;

// g[0 .. stride) = Σ_k x_k² r[id_k · stride + …]: one coordinate of a diagonal, from a column.
void gather_squares(const data::RowView<float>& column, const double* r, std::size_t stride,
                    double* g) noexcept;
void gather_squares(const data::RowView<double>& column, const double* r, std::size_t stride,
                    double* g) noexcept;
void gather_squares(const data::RowView<data::One>& column, const double* r, std::size_t stride,
                    double* g) noexcept;

}  // namespace lazylogit::objective
