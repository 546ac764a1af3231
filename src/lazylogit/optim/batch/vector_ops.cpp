#include "lazylogit/optim/batch/vector_ops.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t block_size = 32'768;

template <class Body>
double sum_blocks(std::size_t size, const Body& body) {
  const std::size_t blocks = num_blocks_of(size, block_size);
  if (blocks <= 1) return body(std::size_t{0}, size);
  std::vector<double> parts(blocks);
  parallel_blocks(
      blocks, [&](std::size_t k) { parts[k] = body(k * block_size, std::min(size, (k + 1) * block_size)); });
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) {
  return sum_blocks(a.size(), [&](std::size_t begin, std::size_t end) {
    double sum[4] = {0, 0, 0, 0};
    std::size_t i = begin;
    for (; i + 4 <= end; i += 4)
      for (std::size_t u = 0; u < 4; ++u) sum[u] += a[i + u] * b[i + u];
    for (; i < end; ++i) sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  });
}

double max_abs(std::span<const double> a) {
  double largest = 0;
  for (const double x : a) {
    if (std::isnan(x)) return x;
    largest = std::max(largest, std::abs(x));
  }
  return largest;
}

void add_scaled(double scale, std::span<const double> x, std::span<double> y) {
  parallel_blocks(num_blocks_of(x.size(), block_size), [&](std::size_t k) {
    for (std::size_t i = k * block_size, end = std::min(x.size(), i + block_size); i < end; ++i)
      y[i] += scale * x[i];
  });
}

}  // namespace lazylogit::optim
