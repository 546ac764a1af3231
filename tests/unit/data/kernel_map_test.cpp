#include "lazylogit/data/kernel_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/data/dense_rows.hpp"

namespace lazylogit::data {
namespace {

constexpr std::size_t n = 30, d = 7;

// About `share` of the entries are not zero.
Buffer<double> drawn_values(double share) {
  Random random(5);
  Buffer<double> values;
  for (std::size_t i = 0; i < n * d; ++i) values.push_back(random.uniform() < share ? random.normal() : 0.0);
  return values;
}

KernelMap map_of(const SparseMatrix& x, Kernel kernel) {
  KernelMap map;
  map.kernel = kernel;
  map.num_inputs = d;
  const std::vector<std::size_t> rows{3, 0, 12, 29};
  map.kept = rows_to_keep(x, rows);
  map.kept_numbers.assign(rows.begin(), rows.end());
  return map;
}

double by_definition(const Kernel& kernel, const double* x, const double* y, const KernelMap& map) {
  double dot = 0, square = 0;
  for (std::size_t i = 0; i < d; ++i) {
    const double scale = map.scale.empty() ? 1 : map.scale[i],
                 center = map.center.empty() ? 0 : map.center[i];
    const double a = x[i] / scale - center, b = y[i] / scale - center;
    dot += a * b;
    square += (a - b) * (a - b);
  }
  if (kernel.family == KernelFamily::linear) return dot;
  if (kernel.family == KernelFamily::polynomial) return std::pow(dot + 1, kernel.degree);
  return std::exp(-square / (2 * kernel.width * kernel.width));
}

class Kernels : public testing::TestWithParam<std::tuple<KernelFamily, double, bool>> {};

TEST_P(Kernels, MapRowsAsTheirFormulaSays) {
  const auto [family, share, standardized] = GetParam();
  const Buffer<double> values = drawn_values(share);
  const SparseMatrix x = sparse_from_dense(values, n, d);
  KernelMap map = map_of(x, {family, 3, 1.7});
  if (standardized) {
    map.scale = {1, 2, 0.5, 1, 3, 1, 0.25};
    map.center = {0.1, -0.2, 0, 0.4, 0, 1, -1};
  }
  const SparseMatrix mapped = KernelMapper(map)(x);
  ASSERT_EQ(mapped.num_features, 4u);
  std::vector<double> dense(n * 4);
  KernelMapper(map).dense(x, 0, n, dense.data());
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t m = 0; m < 4; ++m)
      EXPECT_NEAR(
          dense[j * 4 + m],
          by_definition(map.kernel, values.data() + j * d, values.data() + map.kept_numbers[m] * d, map),
          1e-12 * (1 + std::abs(dense[j * 4 + m])));
  const std::vector<double> own = self_kernels(x, map);
  EXPECT_NEAR(own[3], dense[3 * 4], 1e-12 * (1 + own[3]));
}

INSTANTIATE_TEST_SUITE_P(All, Kernels,
                         testing::Combine(testing::Values(KernelFamily::linear, KernelFamily::polynomial,
                                                          KernelFamily::gaussian),
                                          testing::Values(0.05, 0.9), testing::Bool()));

TEST(KernelMap, WavesApproximateTheGaussianKernel) {
  const Buffer<double> values = drawn_values(0.8);
  const SparseMatrix x = sparse_from_dense(values, n, d);
  KernelMap map;
  map.kernel = {KernelFamily::gaussian, 1, 2.0};
  map.form = KernelForm::fourier;
  map.num_inputs = d;
  map.waves = 20'000;
  map.scale.assign(d, 1.5);
  std::vector<double> dense(n * map.waves);
  KernelMapper(map).dense(x, 0, n, dense.data());
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const double product =
          std::inner_product(dense.begin() + static_cast<std::ptrdiff_t>(a * map.waves),
                             dense.begin() + static_cast<std::ptrdiff_t>((a + 1) * map.waves),
                             dense.begin() + static_cast<std::ptrdiff_t>(b * map.waves), 0.0);
      EXPECT_NEAR(product, by_definition(map.kernel, values.data() + a * d, values.data() + b * d, map),
                  0.03);
    }
}

TEST(KernelMap, RefusesRowsWithMoreFeatures) {
  const SparseMatrix x = sparse_from_dense(drawn_values(0.5), n, d);
  KernelMap map = map_of(x, {});
  map.num_inputs = d;
  SparseMatrix wider = x;
  wider.num_features = d + 1;
  EXPECT_THROW(KernelMapper{map}(wider), ConfigError);
}

TEST(DenseRows, LeaveOutZeros) {
  Buffer<double> values;
  for (const double value : {0.0, 2.0, 0.0, 0.0, 5.0, 6.0}) values.push_back(value);
  const SparseMatrix x = sparse_from_dense(std::move(values), 3, 2);
  EXPECT_EQ(x.num_nonzeros(), 3u);
  EXPECT_EQ(x.row_offsets[1], 1u);
  EXPECT_EQ(x.row_offsets[2], 1u);
  EXPECT_EQ(x.ids[0], 1u);
  EXPECT_EQ(x.value(2), 6.0);
}

}  // namespace
}  // namespace lazylogit::data
