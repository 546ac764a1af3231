// Scores of sparse rows: the inner loop of training and prediction alike.
//
//   one vector:   score(x)   = Σ_k x_k b[id_k]
//   V vectors:    score_v(x) = Σ_k x_k B[id_k · stride + v],  v < stride
// B is feature-major with rows padded as in model/shape.hpp: stride 1, 2, 4 or a multiple of 8 (padding is 0
// and so are its scores). Values are float, double, or an empty type for rows whose every value is 1; sums
// are in double, in an order fixed here (four interleaved sums for one vector; entry order for several), so
// that every instruction set gives the same bits. Entries ahead are prefetched: coefficients rarely fit a
// cache.
//
// The templates inline into callers (mark those LAZYLOGIT_TARGET_CLONES); score_rows is ready for use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lazylogit/base/types.hpp"

#define LAZYLOGIT_ALWAYS_INLINE inline __attribute__((always_inline))

namespace lazylogit::math {

// Values where every entry is 1: nothing is stored.
struct Ones {};

template <class Value>
LAZYLOGIT_ALWAYS_INLINE double entry_value([[maybe_unused]] const Value* values,
                                           [[maybe_unused]] std::size_t k) noexcept {
  if constexpr (std::is_empty_v<Value>)
    return 1.0;
  else
    return static_cast<double>(values[k]);
}

// Coefficients are double or float.
template <class Value, class Number>
LAZYLOGIT_ALWAYS_INLINE double sparse_dot(const FeatureId* ids, const Value* values, std::size_t count,
                                          const Number* b) noexcept {
  const auto product = [&](std::size_t k) __attribute__((always_inline)) {
    return entry_value(values, k) * static_cast<double>(b[ids[k]]);
  };
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += product(k);
    s1 += product(k + 1);
    s2 += product(k + 2);
    s3 += product(k + 3);
  }
  if (k < count) s0 += product(k);
  if (k + 1 < count) s1 += product(k + 1);
  if (k + 2 < count) s2 += product(k + 2);
  return (s0 + s2) + (s1 + s3);
}

// `Width` doubles in as few registers as the instruction set allows.
template <std::size_t Width>
struct Lanes {
  typedef double Type __attribute__((vector_size(Width * sizeof(double))));
};

// scores[0 .. Width·Blocks) = start[…] + Σ_k x_k B[id_k · stride + …]; the sums stay in registers along the
// row. `start` may be `scores`.
template <std::size_t Width, std::size_t Blocks, class Value>
LAZYLOGIT_ALWAYS_INLINE void sparse_scores_strip(const FeatureId* ids, const Value* values, std::size_t count,
                                                 const double* coefficients, std::size_t stride,
                                                 const double* start, double* scores) noexcept {
  using Lane = typename Lanes<Width>::Type;
  constexpr std::size_t ahead = 8;
  Lane sums[Blocks];
  std::memcpy(sums, start, sizeof sums);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + ahead < count) {
      const double* next = coefficients + ids[k + ahead] * stride;
      for (std::size_t j = 0; j < Width * Blocks; j += 8) __builtin_prefetch(next + j);
    }
    const double* row = coefficients + ids[k] * stride;
    const double x = entry_value(values, k);
    for (std::size_t block = 0; block < Blocks; ++block) {
      Lane lane;
      std::memcpy(&lane, row + block * Width, sizeof lane);
      sums[block] += x * lane;
    }
  }
  std::memcpy(scores, sums, sizeof sums);
}

// All scores of a row: scores[0 .. stride) = start[…] + Σ_k x_k B[id_k · stride + …].
template <class Value>
LAZYLOGIT_ALWAYS_INLINE void sparse_scores(const FeatureId* ids, const Value* values, std::size_t count,
                                           const double* coefficients, std::size_t stride,
                                           const double* start, double* scores) noexcept {
  switch (stride) {
    case 1:
      scores[0] = start[0] + sparse_dot(ids, values, count, coefficients);
      return;
    case 2:
      return sparse_scores_strip<2, 1>(ids, values, count, coefficients, stride, start, scores);
    case 4:
      return sparse_scores_strip<4, 1>(ids, values, count, coefficients, stride, start, scores);
    default:
      break;
  }
  std::size_t at = 0;
  for (; at + 64 <= stride; at += 64)
    sparse_scores_strip<8, 8>(ids, values, count, coefficients + at, stride, start + at, scores + at);
  const auto rest = [&]<std::size_t Blocks>(std::integral_constant<std::size_t, Blocks>) {
    sparse_scores_strip<8, Blocks>(ids, values, count, coefficients + at, stride, start + at, scores + at);
  };
  switch ((stride - at) / 8) {
    case 1:
      return rest(std::integral_constant<std::size_t, 1>{});
    case 2:
      return rest(std::integral_constant<std::size_t, 2>{});
    case 3:
      return rest(std::integral_constant<std::size_t, 3>{});
    case 4:
      return rest(std::integral_constant<std::size_t, 4>{});
    case 5:
      return rest(std::integral_constant<std::size_t, 5>{});
    case 6:
      return rest(std::integral_constant<std::size_t, 6>{});
    case 7:
      return rest(std::integral_constant<std::size_t, 7>{});
    default:
      return;
  }
}

// A stretch of compressed sparse rows: row i holds the entries [offsets[i], offsets[i + 1]).
struct RowRange {
  const std::uint64_t* offsets;
  const FeatureId* ids;
  std::size_t num_rows;
};

// What rows are scored against.
struct ScoreTable {
  const double* coefficients;  // feature-major, padded
  std::size_t stride;
  const double* intercepts;  // `stride` numbers, the scores of an empty row; nullptr: zeros
};

// scores[i · stride + v] for every row; one overload per kind of values (nullptr: every value is 1), indexed
// as `ids`.
void score_rows(const RowRange& rows, const float* values, const ScoreTable& table, double* scores);
void score_rows(const RowRange& rows, const double* values, const ScoreTable& table, double* scores);
void score_rows(const RowRange& rows, std::nullptr_t, const ScoreTable& table, double* scores);

}  // namespace lazylogit::math
