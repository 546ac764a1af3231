#include "lazylogit/objective/row_kernels.hpp"

#include <cstring>
#include <type_traits>

#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::objective {
namespace {

using data::One;
using data::RowView;

enum class Power { one, two };

// g[id_k · stride + 0 .. Width·Blocks) += x_k^power · r[…]; r stays in registers along the row.
template <std::size_t Width, std::size_t Blocks, Power power, class Value>
LAZYLOGIT_ALWAYS_INLINE void scatter_strip(const RowView<Value>& row, const double* r, std::size_t stride,
                                           double* g) noexcept {
  using Lane = typename math::Lanes<Width>::Type;
  constexpr std::size_t ahead = 8;
  Lane residual[Blocks];
  std::memcpy(residual, r, sizeof residual);
  const std::size_t count = row.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (k + ahead < count) {
      const double* next = g + row.ids[k + ahead] * stride;
      for (std::size_t j = 0; j < Width * Blocks; j += 8) __builtin_prefetch(next + j, 1);
    }
    double* to = g + row.ids[k] * stride;
    const double x = power == Power::two ? row.value(k) * row.value(k) : row.value(k);
    for (std::size_t block = 0; block < Blocks; ++block) {
      Lane lane;
      std::memcpy(&lane, to + block * Width, sizeof lane);
      lane += x * residual[block];
      std::memcpy(to + block * Width, &lane, sizeof lane);
    }
  }
}

template <Power power, class Value>
LAZYLOGIT_ALWAYS_INLINE void scatter_all(const RowView<Value>& row, const double* r, std::size_t stride,
                                         double* g) noexcept {
  if (stride == 1) {
    if constexpr (!std::is_same_v<Value, One>)
      if (without_gaps(row)) {
        double* to = g + row.ids.front();
        for (std::size_t k = 0; k < row.size(); ++k)
          to[k] += (power == Power::two ? row.value(k) * row.value(k) : row.value(k)) * r[0];
        return;
      }
    for (std::size_t k = 0; k < row.size(); ++k)
      g[row.ids[k]] += (power == Power::two ? row.value(k) * row.value(k) : row.value(k)) * r[0];
    return;
  }
  if (stride == 2) return scatter_strip<2, 1, power>(row, r, stride, g);
  if (stride == 4) return scatter_strip<4, 1, power>(row, r, stride, g);
  std::size_t at = 0;
  for (; at + 32 <= stride; at += 32) scatter_strip<8, 4, power>(row, r + at, stride, g + at);
  for (; at + 16 <= stride; at += 16) scatter_strip<8, 2, power>(row, r + at, stride, g + at);
  if (at < stride) scatter_strip<8, 1, power>(row, r + at, stride, g + at);
}

// Eight interleaved sums, then those in order.
template <class Value>
LAZYLOGIT_ALWAYS_INLINE double dot_without_gaps(const Value* x, std::size_t count, const double* b) noexcept {
  constexpr std::size_t width = 8;
  double sums[width] = {};
  std::size_t i = 0;
  for (; i + width <= count; i += width)
    for (std::size_t l = 0; l < width; ++l) sums[l] += static_cast<double>(x[i + l]) * b[i + l];
  for (; i < count; ++i) sums[i % width] += static_cast<double>(x[i]) * b[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

template <class Value>
LAZYLOGIT_ALWAYS_INLINE void gather_squares_of(const RowView<Value>& column, const double* r,
                                               std::size_t stride, double* g) noexcept {
  for (std::size_t c = 0; c < stride; ++c) g[c] = 0;
  for (std::size_t k = 0; k < column.size(); ++k) {
    const double square = column.value(k) * column.value(k);
    const double* from = r + column.ids[k] * stride;
    for (std::size_t c = 0; c < stride; ++c) g[c] += square * from[c];
  }
}

}  // namespace

LAZYLOGIT_TARGET_CLONES double dot_dense(const float* x, std::size_t count, const double* b) noexcept {
  return dot_without_gaps(x, count, b);
}
LAZYLOGIT_TARGET_CLONES double dot_dense(const double* x, std::size_t count, const double* b) noexcept {
  return dot_without_gaps(x, count, b);
}
LAZYLOGIT_TARGET_CLONES void scatter_dense(const float* x, std::size_t count, double r, double* g) noexcept {
  for (std::size_t i = 0; i < count; ++i) g[i] += static_cast<double>(x[i]) * r;
}
LAZYLOGIT_TARGET_CLONES void scatter_dense(const double* x, std::size_t count, double r, double* g) noexcept {
  for (std::size_t i = 0; i < count; ++i) g[i] += x[i] * r;
}

LAZYLOGIT_TARGET_CLONES void gather_squares(const RowView<float>& column, const double* r, std::size_t stride,
                                            double* g) noexcept {
  gather_squares_of(column, r, stride, g);
}
LAZYLOGIT_TARGET_CLONES void gather_squares(const RowView<double>& column, const double* r,
                                            std::size_t stride, double* g) noexcept {
  gather_squares_of(column, r, stride, g);
}
LAZYLOGIT_TARGET_CLONES void gather_squares(const RowView<One>& column, const double* r, std::size_t stride,
                                            double* g) noexcept {
  gather_squares_of(column, r, stride, g);
}

LAZYLOGIT_TARGET_CLONES void scores(const RowView<float>& row, const double* b, std::size_t stride,
                                    const double* start, double* s) noexcept {
  math::sparse_scores(row.ids.data(), row.values, row.size(), b, stride, start, s);
}
LAZYLOGIT_TARGET_CLONES void scores(const RowView<double>& row, const double* b, std::size_t stride,
                                    const double* start, double* s) noexcept {
  math::sparse_scores(row.ids.data(), row.values, row.size(), b, stride, start, s);
}
LAZYLOGIT_TARGET_CLONES void scores(const RowView<One>& row, const double* b, std::size_t stride,
                                    const double* start, double* s) noexcept {
  math::sparse_scores(row.ids.data(), static_cast<const One*>(nullptr), row.size(), b, stride, start, s);
}

LAZYLOGIT_TARGET_CLONES void scatter(const RowView<float>& row, const double* r, std::size_t stride,
                                     double* g) noexcept {
  scatter_all<Power::one>(row, r, stride, g);
}
LAZYLOGIT_TARGET_CLONES void scatter(const RowView<double>& row, const double* r, std::size_t stride,
                                     double* g) noexcept {
  scatter_all<Power::one>(row, r, stride, g);
}
LAZYLOGIT_TARGET_CLONES void scatter(const RowView<One>& row, const double* r, std::size_t stride,
                                     double* g) noexcept {
  scatter_all<Power::one>(row, r, stride, g);
}

LAZYLOGIT_TARGET_CLONES void scatter_squares(const RowView<float>& row, const double* r, std::size_t stride,
                                             double* g) noexcept {
  scatter_all<Power::two>(row, r, stride, g);
}
LAZYLOGIT_TARGET_CLONES void scatter_squares(const RowView<double>& row, const double* r, std::size_t stride,
                                             double* g) noexcept {
  scatter_all<Power::two>(row, r, stride, g);
}
LAZYLOGIT_TARGET_CLONES void scatter_squares(const RowView<One>& row, const double* r, std::size_t stride,
                                             double* g) noexcept {
  scatter_all<Power::two>(row, r, stride, g);
}

}  // namespace lazylogit::objective
