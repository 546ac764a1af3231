#include "lazylogit/math/wide_scores.hpp"

#include <cstring>

#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::math {
namespace {

struct Ones {};
typedef float Lane __attribute__((vector_size(16 * sizeof(float))));

template <std::size_t Blocks, class Value>
LAZYLOGIT_ALWAYS_INLINE void strip(const FeatureId* ids, const Value* values, std::size_t count,
                                   const WideTable& table, std::size_t at, float* out) noexcept {
  constexpr std::size_t ahead = 6;
  const float* numbers = table.numbers + at;
  Lane sums[Blocks] = {};
  if (table.start != nullptr) std::memcpy(sums, table.start + at, sizeof sums);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + ahead < count) {
      const float* next = numbers + ids[k + ahead] * table.ld;
      for (std::size_t block = 0; block < Blocks; ++block) __builtin_prefetch(next + 16 * block);
    }
    const float* from = numbers + ids[k] * table.ld;
    const auto x = static_cast<float>(entry_value(values, k));
    for (std::size_t block = 0; block < Blocks; ++block) {
      Lane lane;
      std::memcpy(&lane, from + 16 * block, sizeof lane);
      sums[block] += x * lane;
    }
  }
  std::memcpy(out + at, sums, sizeof sums);
}

template <class Value>
LAZYLOGIT_ALWAYS_INLINE void all_strips(const FeatureId* ids, const Value* values, std::size_t count,
                                        const WideTable& table, float* out) noexcept {
  std::size_t at = 0;
  for (; at + 64 <= table.width; at += 64) strip<4>(ids, values, count, table, at, out);
  switch ((table.width - at) / 16) {
    case 1:
      return strip<1>(ids, values, count, table, at, out);
    case 2:
      return strip<2>(ids, values, count, table, at, out);
    case 3:
      return strip<3>(ids, values, count, table, at, out);
    default:
      return;
  }
}

}  // namespace

LAZYLOGIT_TARGET_CLONES void wide_scores(const FeatureId* ids, const float* values, std::size_t count,
                                         const WideTable& table, float* out) noexcept {
  all_strips(ids, values, count, table, out);
}

LAZYLOGIT_TARGET_CLONES void wide_scores(const FeatureId* ids, const double* values, std::size_t count,
                                         const WideTable& table, float* out) noexcept {
  all_strips(ids, values, count, table, out);
}

LAZYLOGIT_TARGET_CLONES void wide_scores(const FeatureId* ids, std::nullptr_t, std::size_t count,
                                         const WideTable& table, float* out) noexcept {
  all_strips(ids, static_cast<const Ones*>(nullptr), count, table, out);
}

}  // namespace lazylogit::math
