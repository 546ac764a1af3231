// Tall blocks of short rows times a small matrix, in single precision: out = rows · matrix.
//
// rows: count × rank, without gaps; matrix: rank × width; out: count × width. The width is a multiple of 16. Sums run over
// the rank in order: the same bits on every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lazylogit::bayes {

void multiply_rows(const float* rows, std::size_t count, std::size_t rank, const float* matrix,
                   std::size_t width, float* out) noexcept;

// sums[i·size + h] += Σ_j a[j·width + i] b[j·width + h] for h ≥ i (and a few below the diagonal), in single precision
// within the block of rows. Columns from `size` on, up to the width, are zeros.
void add_products(const float* a, const float* b, std::size_t rows, std::size_t width, std::size_t size,
                  double* sums) noexcept;

// out[k] = ±x, by the bits of the words of probe.hpp: those of probes [first, first + count).
void spread_signs(std::uint64_t seed, std::size_t coordinate, std::size_t first, std::size_t count, float x,
                  float* out) noexcept;

}  // namespace lazylogit::bayes
