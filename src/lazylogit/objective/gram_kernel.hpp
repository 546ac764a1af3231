// Products of tall dense blocks: what a whole Hessian is made of.
//
//   c[i·size + h] += Σ_j a[j·ld + i] · b[j·ld + h]   for h ≥ i (and a few entries below the diagonal)
//
// ld is a multiple of 16 and at least `size` rounded up to it; the columns beyond `size` are zeros. The sums
// run over j in order.
#pragma once

#include <cstddef>

namespace lazylogit::objective {

inline constexpr std::size_t gram_width = 16;
constexpr std::size_t gram_padded(std::size_t size) {
  return (size + gram_width - 1) / gram_width * gram_width;
}

void add_gram(const double* a, const double* b, std::size_t rows, std::size_t ld, std::size_t size,
              double* c);

}  // namespace lazylogit::objective
