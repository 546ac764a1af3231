#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::data {

double SparseMatrix::value(std::size_t entry) const noexcept {
  if (const auto* f = std::get_if<Buffer<float>>(&values)) return static_cast<double>((*f)[entry]);
  if (const auto* d = std::get_if<Buffer<double>>(&values)) return (*d)[entry];
  return 1.0;
}

}  // namespace lazylogit::data
