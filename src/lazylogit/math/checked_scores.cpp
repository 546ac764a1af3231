#include "lazylogit/math/checked_scores.hpp"

#include <atomic>
#include <fstream>
#include <limits>
#include <string>

#include "lazylogit/math/target_clones.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define LAZYLOGIT_GATHERS 1
#endif

namespace lazylogit::math {
namespace {

std::atomic<CheckedWay> chosen_way = CheckedWay::automatic;

LAZYLOGIT_TARGET_CLONES FeatureId largest(const FeatureId* ids, std::size_t count) noexcept {
  FeatureId top = 0;
  for (std::size_t k = 0; k < count; ++k) top = ids[k] > top ? ids[k] : top;
  return top;
}

#ifdef LAZYLOGIT_GATHERS

bool has_wide_gathers() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0;
}

bool has_quick_gathers() {
  if (!has_wide_gathers()) return false;
  std::ifstream file("/sys/devices/system/cpu/vulnerabilities/gather_data_sampling");
  std::string text;
  return std::getline(file, text) && text == "Not affected";
}

__attribute__((target("avx512f,avx512vl"))) inline __m512d loaded(const double* values,
                                                                  __mmask8 mask) noexcept {
  return _mm512_maskz_loadu_pd(mask, values);
}
__attribute__((target("avx512f,avx512vl"))) inline __m512d loaded(const float* values,
                                                                  __mmask8 mask) noexcept {
  return _mm512_maskz_cvtps_pd(mask, _mm256_maskz_loadu_ps(mask, values));
}

// The four sums of sparse_dot() in four lanes: entries k … k + 3 are added before k + 4 … k + 7, and at the end of a row
// those that are not there are left out. Rows are used once: they are fetched past the caches that hold the coefficients
// (beyond the last row a fetch does nothing).
template <class Value>
__attribute__((target("avx512f,avx512vl"))) bool gather_rows(const RowRange& rows, const Value* values,
                                                             const ScoreTable& table,
                                                             std::size_t num_features,
                                                             double* scores) noexcept {
  const __m256i limit = _mm256_set1_epi32(static_cast<int>(num_features));
  const double start = table.intercepts == nullptr ? 0.0 : table.intercepts[0];
  unsigned beyond = 0;
  for (std::size_t i = 0; i < rows.num_rows; ++i) {
    __m256d sums = _mm256_setzero_pd();
    std::size_t k = rows.offsets[i];
    for (std::size_t left = rows.offsets[i + 1] - k; left > 0;) {
      const std::size_t count = left < 8 ? left : 8;
      _mm_prefetch(reinterpret_cast<const char*>(values + k) + 2048, _MM_HINT_NTA);
      _mm_prefetch(reinterpret_cast<const char*>(rows.ids + k) + 1024, _MM_HINT_NTA);
      const auto there = static_cast<__mmask8>((1U << count) - 1U);
      const __m256i ids = _mm256_maskz_loadu_epi32(there, rows.ids + k);
      const __mmask8 in_range = _mm256_mask_cmplt_epu32_mask(there, ids, limit);
      beyond |= static_cast<unsigned>(there ^ in_range);
      const __m512d b = _mm512_mask_i32gather_pd(_mm512_setzero_pd(), in_range, ids, table.coefficients, 8);
      const __m512d products = _mm512_mul_pd(loaded(values + k, there), b);
      sums = _mm256_mask_add_pd(sums, there, sums, _mm512_castpd512_pd256(products));
      sums = _mm256_mask_add_pd(sums, static_cast<__mmask8>(there >> 4), sums,
                                _mm512_extractf64x4_pd(products, 1));
      k += count;
      left -= count;
    }
    const __m128d pairs = _mm_add_pd(_mm256_castpd256_pd128(sums), _mm256_extractf128_pd(sums, 1));
    scores[i] = start + _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
  }
  return beyond == 0;
}

bool may_gather(const ScoreTable& table, std::size_t num_features) {
  static const bool wide = has_wide_gathers(), quick = has_quick_gathers();
  const CheckedWay way = chosen_way.load(std::memory_order_relaxed);
  return table.stride == 1 && num_features <= std::size_t{std::numeric_limits<std::int32_t>::max()} &&
         (way == CheckedWay::automatic ? quick : wide && way == CheckedWay::gathers);
}

#endif

template <class Value>
bool score_checked(const RowRange& rows, const Value* values, const ScoreTable& table,
                   std::size_t num_features, double* scores) {
#ifdef LAZYLOGIT_GATHERS
  if (may_gather(table, num_features)) return gather_rows(rows, values, table, num_features, scores);
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
