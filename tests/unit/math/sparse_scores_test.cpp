#include "lazylogit/math/sparse_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lazylogit/math/vector.hpp"

namespace lazylogit::math {
namespace {

// ExactRows of 0, 1, 2, … entries over 50 features, with values that are exact in float.
struct ExactRows {
  std::vector<std::uint64_t> offsets{0};
  std::vector<FeatureId> ids;
  std::vector<float> floats;
  std::vector<double> doubles;
  ExactRows() {
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        ids.push_back(static_cast<FeatureId>(k + i / 4));
        floats.push_back(static_cast<float>(1 + (i * 7 + k * 3) % 16) / 8);
        doubles.push_back(static_cast<double>(floats.back()));
      }
      offsets.push_back(ids.size());
    }
  }
  RowRange range() const { return {offsets.data(), ids.data(), offsets.size() - 1}; }
};

class SparseScores : public testing::TestWithParam<std::size_t> {};

TEST_P(SparseScores, AgreeWithThePlainSumForEveryKindOfValue) {
  const std::size_t stride = GetParam();
  const ExactRows rows;
  Vector b(50 * stride), intercepts(stride);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(static_cast<double>(i));
  for (std::size_t i = 0; i < stride; ++i) intercepts[i] = std::cos(static_cast<double>(i));
  for (const double* start :
       {static_cast<const double*>(nullptr), static_cast<const double*>(intercepts.data())}) {
    const ScoreTable table{b.data(), stride, start};
    const std::size_t n = rows.range().num_rows;
    std::vector<double> f(n * stride), d(n * stride), ones(n * stride);
    score_rows(rows.range(), rows.floats.data(), table, f.data());
    score_rows(rows.range(), rows.doubles.data(), table, d.data());
    score_rows(rows.range(), nullptr, table, ones.data());
    EXPECT_EQ(f, d);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t v = 0; v < stride; ++v) {
        long double sum = start == nullptr ? 0 : start[v], sum_of_ones = sum;
        for (std::uint64_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
          sum += static_cast<long double>(rows.doubles[k]) * b[rows.ids[k] * stride + v];
          sum_of_ones += b[rows.ids[k] * stride + v];
        }
        EXPECT_NEAR(d[i * stride + v], static_cast<double>(sum), 1e-13);
        EXPECT_NEAR(ones[i * stride + v], static_cast<double>(sum_of_ones), 1e-13);
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Strides, SparseScores,
                         testing::Values(1, 2, 4, 8, 16, 24, 32, 40, 48, 56, 64, 72, 136));

}  // namespace
}  // namespace lazylogit::math
