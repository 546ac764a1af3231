// Many sums along one sparse row at once, in single precision: products of a row with a block of vectors.
//
//   out[0 .. width) = start[…] + Σ_k x_k numbers[id_k · ld + …]          wide_scores
//   numbers[id_k · width + 0 .. width) += x_k step[…]                    wide_add
//
// The width is a multiple of 4, best of 16. Sums are in the order of the entries, so that every instruction set gives the same bits.
// An entry costs width·4 bytes of memory, which is what such a product is about: the sums of one strip stay in registers.
#pragma once

#include <cstddef>

#include "lazylogit/base/types.hpp"

namespace lazylogit::math {

constexpr std::size_t wide_width(std::size_t count) { return (count + 15) / 16 * 16; }

struct WideTable {
  const float* numbers;
  std::size_t ld, width;  // ld ≥ width: from a feature to the next
  const float* start;     // nullptr: zeros
};

// One overload per kind of values (nullptr: every value is 1).
void wide_scores(const FeatureId* ids, const float* values, std::size_t count, const WideTable& table,
                 float* out) noexcept;
void wide_scores(const FeatureId* ids, const double* values, std::size_t count, const WideTable& table,
                 float* out) noexcept;
void wide_scores(const FeatureId* ids, std::nullptr_t, std::size_t count, const WideTable& table,
                 float* out) noexcept;

void wide_add(const FeatureId* ids, const float* values, std::size_t count, const float* step,
              std::size_t width, float* numbers) noexcept;
void wide_add(const FeatureId* ids, const double* values, std::size_t count, const float* step,
              std::size_t width, float* numbers) noexcept;
void wide_add(const FeatureId* ids, std::nullptr_t, std::size_t count, const float* step, std::size_t width,
              float* numbers) noexcept;

}  // namespace lazylogit::math
