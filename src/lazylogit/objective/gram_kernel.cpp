#include "lazylogit/objective/gram_kernel.hpp"

#include <algorithm>
#include <cstring>

#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::objective {
namespace {

using Lane = math::Lanes<8>::Type;
constexpr std::size_t tall = 4, lanes = gram_width / 8;

}  // namespace

// Tiles of 4 × 16 sums in registers along the rows.
LAZYLOGIT_TARGET_CLONES void add_gram(const double* a, const double* b, std::size_t rows, std::size_t ld,
                                      std::size_t size, double* c) {
  for (std::size_t i = 0; i < size; i += tall) {
    const std::size_t height = std::min(tall, size - i);
    for (std::size_t h = i / gram_width * gram_width; h < size; h += gram_width) {
      Lane sums[tall][lanes] = {};
      for (std::size_t j = 0; j < rows; ++j) {
        const double* left = a + j * ld + i;  // reads at most up to ld: i + 4 ≤ ld
        Lane right[lanes];
        std::memcpy(right, b + j * ld + h, sizeof right);
        for (std::size_t u = 0; u < tall; ++u)
          for (std::size_t l = 0; l < lanes; ++l) sums[u][l] += left[u] * right[l];
      }
      const std::size_t width = std::min(gram_width, size - h);
      for (std::size_t u = 0; u < height; ++u) {
        double* to = c + (i + u) * size + h;
        for (std::size_t l = 0; l < width; ++l) to[l] += sums[u][l / 8][l % 8];
      }
    }
  }
}

}  // namespace lazylogit::objective
