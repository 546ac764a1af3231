#include "lazylogit/objective/gram_kernel.hpp"

#include <algorithm>
#include <cstring>

#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"
#include "lazylogit/math/vector.hpp"

namespace lazylogit::objective {
namespace {

using Lane = math::Lanes<8>::Type;
constexpr std::size_t tall = 4, lanes = gram_width / 8;

}  // namespace

// Tiles of 4 × 16 sums in registers along the rows. The 16 columns of b that a row of tiles shares are brought together first: as
// they lie, every row of them is another two lines of memory.
LAZYLOGIT_TARGET_CLONES void add_gram(const double* a, const double* b, std::size_t rows, std::size_t ld,
                                      std::size_t size, double* c) {
  math::Vector together(rows * gram_width);
  for (std::size_t h = 0; h < size; h += gram_width) {
    const std::size_t width = std::min(gram_width, size - h);
    for (std::size_t j = 0; j < rows; ++j)
      std::memcpy(together.data() + j * gram_width, b + j * ld + h, gram_width * sizeof(double));
    for (std::size_t i = 0; i < h + width; i += tall) {
      const std::size_t height = std::min(tall, size - i);
      Lane sums[tall][lanes] = {};
      for (std::size_t j = 0; j < rows; ++j) {
        const double* left = a + j * ld + i;  // reads at most up to ld: i + 4 ≤ ld
        for (std::size_t l = 0; l < lanes; ++l) {
          Lane right;
          std::memcpy(&right, together.data() + j * gram_width + l * 8, sizeof right);
          for (std::size_t u = 0; u < tall; ++u) sums[u][l] += left[u] * right;
        }
      }
      double tile[tall][gram_width];  // sums with an index that varies would not stay in registers
      std::memcpy(tile, sums, sizeof tile);
      for (std::size_t u = 0; u < height; ++u) {
        double* to = c + (i + u) * size + h;
        for (std::size_t l = 0; l < width; ++l) to[l] += tile[u][l];
      }
    }
  }
}

}  // namespace lazylogit::objective
