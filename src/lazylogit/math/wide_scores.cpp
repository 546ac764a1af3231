#include "lazylogit/math/wide_scores.hpp"

#include <cstring>
#include <type_traits>

#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::math {
namespace {

template <std::size_t Width>
struct FloatLanes {
  typedef float Type __attribute__((vector_size(Width * sizeof(float))));
};

constexpr std::size_t ahead = 6;

template <class Lane, std::size_t Blocks, class Value>
LAZYLOGIT_ALWAYS_INLINE void strip(const FeatureId* ids, const Value* values, std::size_t count,
                                   const WideTable& table, std::size_t at, float* out) noexcept {
  constexpr std::size_t width = sizeof(Lane) / sizeof(float);
  const float* numbers = table.numbers + at;
  Lane sums[Blocks] = {};
  if (table.start != nullptr) std::memcpy(sums, table.start + at, sizeof sums);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + ahead < count) {
      const float* next = numbers + ids[k + ahead] * table.ld;
      for (std::size_t block = 0; block < Blocks; ++block) __builtin_prefetch(next + width * block);
    }
    const float* from = numbers + ids[k] * table.ld;
    const auto x = static_cast<float>(entry_value(values, k));
    for (std::size_t block = 0; block < Blocks; ++block) {
      Lane lane;
      std::memcpy(&lane, from + width * block, sizeof lane);
      sums[block] += x * lane;
    }
  }
  std::memcpy(out + at, sums, sizeof sums);
}

template <class Lane, std::size_t Blocks, class Value>
LAZYLOGIT_ALWAYS_INLINE void add_strip(const FeatureId* ids, const Value* values, std::size_t count,
                                       const float* step, std::size_t ld, float* numbers) noexcept {
  constexpr std::size_t width = sizeof(Lane) / sizeof(float);
  Lane steps[Blocks];
  std::memcpy(steps, step, sizeof steps);
  for (std::size_t k = 0; k < count; ++k) {
    if (k + ahead < count) {
      const float* next = numbers + ids[k + ahead] * ld;
      for (std::size_t block = 0; block < Blocks; ++block) __builtin_prefetch(next + width * block, 1);
    }
    float* to = numbers + ids[k] * ld;
    const auto x = static_cast<float>(entry_value(values, k));
    for (std::size_t block = 0; block < Blocks; ++block) {
      Lane lane;
      std::memcpy(&lane, to + width * block, sizeof lane);
      lane += x * steps[block];
      std::memcpy(to + width * block, &lane, sizeof lane);
    }
  }
}

// Calls body(numbers of a lane, lanes, first column) for strips that cover `width` columns, a multiple of 4.
template <class Body>
LAZYLOGIT_ALWAYS_INLINE void for_strips(std::size_t width, const Body& body) noexcept {
  constexpr std::integral_constant<std::size_t, 16> wide;
  constexpr std::integral_constant<std::size_t, 1> one;
  std::size_t at = 0;
  for (; at + 64 <= width; at += 64) body(wide, std::integral_constant<std::size_t, 4>{}, at);
  switch ((width - at) / 16) {
    case 1:
      body(wide, one, at);
      break;
    case 2:
      body(wide, std::integral_constant<std::size_t, 2>{}, at);
      break;
    case 3:
      body(wide, std::integral_constant<std::size_t, 3>{}, at);
      break;
    default:
      break;
  }
  at += (width - at) / 16 * 16;
  if (width - at >= 8) {
    body(std::integral_constant<std::size_t, 8>{}, one, at);
    at += 8;
  }
  if (width - at >= 4) body(std::integral_constant<std::size_t, 4>{}, one, at);
}

template <class Value>
LAZYLOGIT_ALWAYS_INLINE void all_strips(const FeatureId* ids, const Value* values, std::size_t count,
                                        const WideTable& table, float* out) noexcept {
  for_strips(
      table.width, [&](auto lane, auto blocks, std::size_t at) __attribute__((always_inline)) {
        strip<typename FloatLanes<lane()>::Type, blocks()>(ids, values, count, table, at, out);
      });
}

template <class Value>
LAZYLOGIT_ALWAYS_INLINE void add_all_strips(const FeatureId* ids, const Value* values, std::size_t count,
                                            const float* step, std::size_t width, float* numbers) noexcept {
  for_strips(
      width, [&](auto lane, auto blocks, std::size_t at) __attribute__((always_inline)) {
        add_strip<typename FloatLanes<lane()>::Type, blocks()>(ids, values, count, step + at, width,
                                                               numbers + at);
      });
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

LAZYLOGIT_TARGET_CLONES void wide_add(const FeatureId* ids, const float* values, std::size_t count,
                                      const float* step, std::size_t width, float* numbers) noexcept {
  add_all_strips(ids, values, count, step, width, numbers);
}

LAZYLOGIT_TARGET_CLONES void wide_add(const FeatureId* ids, const double* values, std::size_t count,
                                      const float* step, std::size_t width, float* numbers) noexcept {
  add_all_strips(ids, values, count, step, width, numbers);
}

LAZYLOGIT_TARGET_CLONES void wide_add(const FeatureId* ids, std::nullptr_t, std::size_t count,
                                      const float* step, std::size_t width, float* numbers) noexcept {
  add_all_strips(ids, static_cast<const Ones*>(nullptr), count, step, width, numbers);
}

}  // namespace lazylogit::math
