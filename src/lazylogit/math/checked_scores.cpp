#include "lazylogit/math/checked_scores.hpp"

#include <atomic>
#include <limits>

#include "lazylogit/math/target_clones.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define LAZYLOGIT_ONE_PASS 1
#endif

namespace lazylogit::math {
namespace {

std::atomic<CheckedWay> chosen_way = CheckedWay::automatic;

LAZYLOGIT_TARGET_CLONES FeatureId largest(const FeatureId* ids, std::size_t count) noexcept {
  FeatureId top = 0;
  for (std::size_t k = 0; k < count; ++k) top = ids[k] > top ? ids[k] : top;
  return top;
}

#ifdef LAZYLOGIT_ONE_PASS

__attribute__((target("avx2"))) inline __m256d four_of(const double* values) noexcept {
  return _mm256_loadu_pd(values);
}
__attribute__((target("avx2"))) inline __m256d four_of(const float* values) noexcept {
  return _mm256_cvtps_pd(_mm_loadu_ps(values));
}

__attribute__((target("avx2"))) inline bool any_beyond(__m256i ids, __m256i limit) noexcept {
  const __m256i beyond = _mm256_cmpeq_epi32(_mm256_max_epu32(ids, limit), ids);
  return _mm256_testz_si256(beyond, beyond) == 0;
}

// Four loads, because a gather instruction is many times slower where the processor is kept from leaking what it reads
// (gather data sampling), which virtual machines do not always tell, and hardly faster elsewhere.
template <class Value>
__attribute__((target("avx2"))) inline __m256d four_products(const FeatureId* ids, const Value* values,
                                                             const double* b) noexcept {
  const __m128d low = _mm_loadh_pd(_mm_load_sd(b + ids[0]), b + ids[1]);
  const __m128d high = _mm_loadh_pd(_mm_load_sd(b + ids[2]), b + ids[3]);
  return _mm256_mul_pd(four_of(values), _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1));
}

// The four sums of sparse_dot() in four lanes. What is asked for ahead crosses rows and pages, which the processor's own
// fetching does not (beyond the last row it does nothing).
template <class Value>
__attribute__((target("avx2"))) bool score_in_one_pass(const RowRange& rows, const Value* values,
                                                       const ScoreTable& table, std::size_t num_features,
                                                       double* scores) noexcept {
  constexpr std::size_t ahead = 256;
  const __m256i limit = _mm256_set1_epi32(static_cast<int>(num_features));
  const double* const b = table.coefficients;
  const double start = table.intercepts == nullptr ? 0.0 : table.intercepts[0];
  for (std::size_t i = 0; i < rows.num_rows; ++i) {
    const FeatureId* ids = rows.ids + rows.offsets[i];
    const Value* x = values + rows.offsets[i];
    std::size_t left = rows.offsets[i + 1] - rows.offsets[i];
    __m256d sums = _mm256_setzero_pd();
    for (; left >= 8; left -= 8, ids += 8, x += 8) {
      _mm_prefetch(reinterpret_cast<const char*>(x) + ahead * sizeof(Value), _MM_HINT_T0);
      _mm_prefetch(reinterpret_cast<const char*>(ids) + ahead * sizeof(FeatureId), _MM_HINT_T0);
      if (any_beyond(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(ids)), limit)) return false;
      sums = _mm256_add_pd(sums, four_products(ids, x, b));
      sums = _mm256_add_pd(sums, four_products(ids + 4, x + 4, b));
    }
    for (std::size_t k = 0; k < left; ++k)
      if (ids[k] >= num_features) return false;
    if (left >= 4) {
      sums = _mm256_add_pd(sums, four_products(ids, x, b));
      left -= 4, ids += 4, x += 4;
    }
    __m128d low = _mm256_castpd256_pd128(sums), high = _mm256_extractf128_pd(sums, 1);
    const auto product = [&](std::size_t k) { return _mm_set_sd(static_cast<double>(x[k]) * b[ids[k]]); };
    if (left > 2) high = _mm_add_sd(high, product(2));
    if (left > 1) low = _mm_add_pd(low, _mm_unpacklo_pd(_mm_setzero_pd(), product(1)));
    if (left > 0) low = _mm_add_sd(low, product(0));
    const __m128d pairs = _mm_add_pd(low, high);
    scores[i] = start + _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
  }
  return true;
}

bool takes_one_pass(const ScoreTable& table, std::size_t num_features) {
  static const bool can = __builtin_cpu_supports("avx2") != 0;
  return can && chosen_way.load(std::memory_order_relaxed) == CheckedWay::automatic && table.stride == 1 &&
         num_features <= std::numeric_limits<FeatureId>::max();
}

#endif

template <class Value>
bool score_checked(const RowRange& rows, const Value* values, const ScoreTable& table,
                   std::size_t num_features, double* scores) {
#ifdef LAZYLOGIT_ONE_PASS
  if (takes_one_pass(table, num_features))
    return score_in_one_pass(rows, values, table, num_features, scores);
#endif
  const std::uint64_t first = rows.offsets[0], count = rows.offsets[rows.num_rows] - first;
  if (count > 0 && largest(rows.ids + first, count) >= num_features) return false;
  score_rows(rows, values, table, scores);
  return true;
}

}  // namespace

void set_checked_way(CheckedWay way) noexcept { chosen_way = way; }

bool score_checked_rows(const RowRange& rows, const float* values, const ScoreTable& table,
                        std::size_t num_features, double* scores) {
  return score_checked(rows, values, table, num_features, scores);
}

bool score_checked_rows(const RowRange& rows, const double* values, const ScoreTable& table,
                        std::size_t num_features, double* scores) {
  return score_checked(rows, values, table, num_features, scores);
}

}  // namespace lazylogit::math
