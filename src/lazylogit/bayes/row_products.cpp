#include "lazylogit/bayes/row_products.hpp"

#include <algorithm>
#include <cstring>

#include "lazylogit/bayes/probe.hpp"
#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::bayes {
namespace {

typedef float Lane __attribute__((vector_size(16 * sizeof(float))));

// A tile of Rows × 16·Lanes sums in registers.
template <std::size_t Rows, std::size_t Lanes>
LAZYLOGIT_ALWAYS_INLINE void tile(const float* rows, std::size_t rank, const float* matrix, std::size_t width,
                                  float* out) noexcept {
  Lane sums[Rows][Lanes] = {};
  for (std::size_t k = 0; k < rank; ++k) {
    Lane right[Lanes];
    std::memcpy(right, matrix + k * width, sizeof right);
    for (std::size_t i = 0; i < Rows; ++i)
      for (std::size_t l = 0; l < Lanes; ++l) sums[i][l] += rows[i * rank + k] * right[l];
  }
  for (std::size_t i = 0; i < Rows; ++i) std::memcpy(out + i * width, sums[i], sizeof sums[i]);
}

template <std::size_t Rows>
LAZYLOGIT_ALWAYS_INLINE void tiles(const float* rows, std::size_t rank, const float* matrix,
                                   std::size_t width, float* out) noexcept {
  std::size_t at = 0;
  for (; at + 32 <= width; at += 32) tile<Rows, 2>(rows, rank, matrix + at, width, out + at);
  for (; at < width; at += 16) tile<Rows, 1>(rows, rank, matrix + at, width, out + at);
}

}  // namespace

LAZYLOGIT_TARGET_CLONES void multiply_rows(const float* rows, std::size_t count, std::size_t rank,
                                           const float* matrix, std::size_t width, float* out) noexcept {
  constexpr std::size_t tall = 4;
  std::size_t i = 0;
  for (; i + tall <= count; i += tall) tiles<tall>(rows + i * rank, rank, matrix, width, out + i * width);
  for (; i < count; ++i) tiles<1>(rows + i * rank, rank, matrix, width, out + i * width);
}

LAZYLOGIT_TARGET_CLONES void add_products(const float* a, const float* b, std::size_t rows, std::size_t width,
                                          std::size_t size, double* sums) noexcept {
  constexpr std::size_t tall = 4;
  for (std::size_t i = 0; i < size; i += tall)
    for (std::size_t h = i / 16 * 16; h < size; h += 16) {
      Lane tile[tall] = {};
      for (std::size_t j = 0; j < rows; ++j) {
        Lane right;
        std::memcpy(&right, b + j * width + h, sizeof right);
        for (std::size_t u = 0; u < tall; ++u) tile[u] += a[j * width + i + u] * right;
      }
      for (std::size_t u = 0; u < std::min(tall, size - i); ++u)
        for (std::size_t l = 0; l < std::min<std::size_t>(16, size - h); ++l)
          sums[(i + u) * size + h + l] += static_cast<double>(tile[u][l]);
    }
}

namespace {

LAZYLOGIT_TARGET_CLONES void spread_word(std::uint64_t word, std::size_t count, float x,
                                         float* out) noexcept {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const auto low = static_cast<std::uint32_t>(~word), high = static_cast<std::uint32_t>(~word >> 32);
  const auto spread = [&](std::uint32_t half, std::size_t from, std::size_t to) {
    for (std::size_t k = from; k < to; ++k) {
      const std::uint32_t signed_bits = bits ^ ((half >> (k - from)) << 31);
      std::memcpy(out + k, &signed_bits, sizeof signed_bits);
    }
  };
  spread(low, 0, std::min<std::size_t>(32, count));
  if (count > 32) spread(high, 32, count);
}

}  // namespace

void spread_signs(std::uint64_t seed, std::size_t coordinate, std::size_t first, std::size_t count, float x,
                  float* out) noexcept {
  while (count > 0) {
    const std::size_t word = first / probes_of_word, at = first % probes_of_word;
    const std::size_t here = std::min(count, probes_of_word - at);
    spread_word(sign_word(seed, word, coordinate) >> at, here, x, out);
    first += here;
    out += here;
    count -= here;
  }
}

}  // namespace lazylogit::bayes
