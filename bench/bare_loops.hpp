// The limit that lazy training is measured against: dot product and update, no exponential, no prior, no
// loss. Float values, double coefficients; scalar and AVX-512 forms, of which the quickest counts.
// For priors with clocks there is a second limit: the same over records [coefficient, clock], twice as much memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::bench {

using Rows = data::RowsView<float>;
struct BareLoop {
  std::string name;
  void (*pass)(const Rows& rows, double* b);
};

inline double dot_scalar(const FeatureId* ids, const float* x, std::size_t n, const double* b) {
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4) {
    s0 += static_cast<double>(x[k]) * b[ids[k]];
    s1 += static_cast<double>(x[k + 1]) * b[ids[k + 1]];
    s2 += static_cast<double>(x[k + 2]) * b[ids[k + 2]];
    s3 += static_cast<double>(x[k + 3]) * b[ids[k + 3]];
  }
  for (; k < n; ++k) s0 += static_cast<double>(x[k]) * b[ids[k]];
  return (s0 + s1) + (s2 + s3);
}
inline void add_scalar(const FeatureId* ids, const float* x, std::size_t n, double step, double* b) {
  for (std::size_t k = 0; k < n; ++k) b[ids[k]] += step * static_cast<double>(x[k]);
}
inline void scalar_pass(const Rows& rows, double* b) {
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    const std::uint64_t from = rows.offsets[r], n = rows.offsets[r + 1] - from;
    const double s = dot_scalar(rows.ids + from, rows.values + from, n, b);
    add_scalar(rows.ids + from, rows.values + from, n, 1e-9 * s, b);
  }
}
// Asks for the coefficients of a row that comes soon.
template <std::size_t Width>
void ask_for_row(const Rows& rows, std::size_t r, const double* b) {
  if (r >= rows.num_rows) return;
  for (std::uint64_t k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k)
    prefetch_to_change(b + Width * rows.ids[k]);
}
inline void prefetched_pass(const Rows& rows, double* b) {
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    const std::uint64_t from = rows.offsets[r], n = rows.offsets[r + 1] - from;
    const double s = dot_scalar(rows.ids + from, rows.values + from, n, b);
    ask_for_row<1>(rows, r + 2, b);
    add_scalar(rows.ids + from, rows.values + from, n, 1e-9 * s, b);
  }
}

// Over records of a coefficient and a clock, which is set.
template <bool Prefetched>
void record_pass(const Rows& rows, double* records) {
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    const std::uint64_t from = rows.offsets[r], n = rows.offsets[r + 1] - from;
    const FeatureId* ids = rows.ids + from;
    const float* x = rows.values + from;
    double s[4] = {0, 0, 0, 0};
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4)
      for (std::size_t u = 0; u < 4; ++u) s[u] += static_cast<double>(x[k + u]) * records[2 * ids[k + u]];
    for (; k < n; ++k) s[0] += static_cast<double>(x[k]) * records[2 * ids[k]];
    if constexpr (Prefetched) ask_for_row<2>(rows, r + 2, records);
    const double step = 1e-9 * ((s[0] + s[1]) + (s[2] + s[3])), now = static_cast<double>(r);
    for (k = 0; k < n; ++k) {
      double* record = records + 2 * ids[k];
      record[0] += step * static_cast<double>(x[k]);
      record[1] = now;
    }
  }
}

#if defined(__x86_64__)
#define LAZYLOGIT_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl,fma")))
LAZYLOGIT_AVX512 inline double dot_avx512(const FeatureId* ids, const float* x, std::size_t n,
                                          const double* b) {
  __m512d s0 = _mm512_setzero_pd(), s1 = s0;
  std::size_t k = 0;
  for (; k + 16 <= n; k += 16) {
    const __m256i i0 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids + k));
    const __m256i i1 = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids + k + 8));
    s0 = _mm512_fmadd_pd(_mm512_i32gather_pd(i0, b, 8), _mm512_cvtps_pd(_mm256_loadu_ps(x + k)), s0);
    s1 = _mm512_fmadd_pd(_mm512_i32gather_pd(i1, b, 8), _mm512_cvtps_pd(_mm256_loadu_ps(x + k + 8)), s1);
  }
  return _mm512_reduce_add_pd(_mm512_add_pd(s0, s1)) + dot_scalar(ids + k, x + k, n - k, b);
}
LAZYLOGIT_AVX512 inline void add_avx512(const FeatureId* ids, const float* x, std::size_t n, double step,
                                        double* b) {
  const __m512d factor = _mm512_set1_pd(step);
  std::size_t k = 0;
  for (; k + 8 <= n; k += 8) {
    const __m256i i = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids + k));
    _mm512_i32scatter_pd(
        b, i, _mm512_fmadd_pd(factor, _mm512_cvtps_pd(_mm256_loadu_ps(x + k)), _mm512_i32gather_pd(i, b, 8)),
        8);
  }
  add_scalar(ids + k, x + k, n - k, step, b);
}
LAZYLOGIT_AVX512 inline void gather_pass(const Rows& rows, double* b) {
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    const std::uint64_t from = rows.offsets[r], n = rows.offsets[r + 1] - from;
    const double s = dot_avx512(rows.ids + from, rows.values + from, n, b);
    add_scalar(rows.ids + from, rows.values + from, n, 1e-9 * s, b);
  }
}
LAZYLOGIT_AVX512 inline void scatter_pass(const Rows& rows, double* b) {
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    const std::uint64_t from = rows.offsets[r], n = rows.offsets[r + 1] - from;
    const double s = dot_avx512(rows.ids + from, rows.values + from, n, b);
    add_avx512(rows.ids + from, rows.values + from, n, 1e-9 * s, b);
  }
}
// Vector scalars of the same code compiled for AVX-512 machines: fused multiply-adds.
LAZYLOGIT_AVX512 inline void fused_pass(const Rows& rows, double* b) {
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    const std::uint64_t from = rows.offsets[r], n = rows.offsets[r + 1] - from;
    const FeatureId* ids = rows.ids + from;
    const float* x = rows.values + from;
    double s[4] = {0, 0, 0, 0};
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4)
      for (std::size_t u = 0; u < 4; ++u) s[u] += static_cast<double>(x[k + u]) * b[ids[k + u]];
    for (; k < n; ++k) s[0] += static_cast<double>(x[k]) * b[ids[k]];
    const double step = 1e-9 * ((s[0] + s[1]) + (s[2] + s[3]));
    for (k = 0; k < n; ++k) b[ids[k]] += step * static_cast<double>(x[k]);
  }
}

// Blocks of eight coefficients per feature, padded and prefetched: the limit for several classes.
template <int Blocks>
LAZYLOGIT_AVX512 inline void wide_pass(const Rows& rows, double* b) {
  constexpr std::size_t width = 8 * Blocks, ahead = 16;
  const std::uint64_t total = rows.offsets[rows.num_rows];
  for (std::size_t r = 0; r < rows.num_rows; ++r) {
    __m512d s[Blocks];
    for (int v = 0; v < Blocks; ++v) s[v] = _mm512_setzero_pd();
    for (std::uint64_t k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) {
      if (k + ahead < total)
        for (int v = 0; v < Blocks; ++v)
          __builtin_prefetch(b + rows.ids[k + ahead] * width + 8 * static_cast<std::size_t>(v));
      const double* row = b + rows.ids[k] * width;
      const __m512d x = _mm512_set1_pd(static_cast<double>(rows.values[k]));
      for (int v = 0; v < Blocks; ++v) s[v] = _mm512_fmadd_pd(x, _mm512_loadu_pd(row + 8 * v), s[v]);
    }
    for (std::uint64_t k = rows.offsets[r]; k < rows.offsets[r + 1]; ++k) {
      double* row = b + rows.ids[k] * width;
      const __m512d x = _mm512_set1_pd(1e-9 * static_cast<double>(rows.values[k]));
      for (int v = 0; v < Blocks; ++v)
        _mm512_storeu_pd(row + 8 * v, _mm512_fmadd_pd(x, s[v], _mm512_loadu_pd(row + 8 * v)));
    }
  }
}
#endif

inline std::vector<BareLoop> bare_loops() {
  std::vector<BareLoop> loops{{"scalar", scalar_pass}, {"scalar, prefetched", prefetched_pass}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    loops.push_back({"scalar with fused multiply-add", fused_pass});
    loops.push_back({"AVX-512 gather, scalar update", gather_pass});
    loops.push_back({"AVX-512 gather and scatter", scatter_pass});
  }
#endif
  return loops;
}
inline std::vector<BareLoop> record_loops() {
  return {{"records", record_pass<false>}, {"records, prefetched", record_pass<true>}};
}

}  // namespace lazylogit::bench
