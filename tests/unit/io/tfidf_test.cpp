#include "lazylogit/io/text/tfidf.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lazylogit::io {
namespace {

TEST(Tfidf, WeighsByInverseDocumentFrequencyAndScalesRowsToLengthOne) {
  data::SparseMatrix x;  // rows {0: 2, 1: 1}, {0: 1}, {}
  x.num_features = 2;
  x.row_offsets.append(std::vector<std::uint64_t>{2, 3, 3});
  x.ids.append(std::vector<FeatureId>{0, 1, 0});
  Buffer<double> values;
  values.append(std::vector<double>{2, 1, 1});
  x.values = values;
  const std::vector<double> idf = learn_tfidf(x, true);
  const double common = std::log(4.0 / 3.0) + 1, rare = std::log(4.0 / 2.0) + 1;
  EXPECT_DOUBLE_EQ(idf[0], common);
  EXPECT_DOUBLE_EQ(idf[1], rare);
  const double length = std::hypot(2 * common, rare);
  EXPECT_DOUBLE_EQ(x.value(0), 2 * common / length);
  EXPECT_DOUBLE_EQ(x.value(1), rare / length);
  EXPECT_DOUBLE_EQ(x.value(2), 1.0);
}

TEST(Tfidf, StoresValuesWhereEveryCountWasOne) {
  data::SparseMatrix x;
  x.num_features = 1;
  x.row_offsets.push_back(1);
  x.ids.push_back(0);
  learn_tfidf(x, false);
  EXPECT_TRUE(std::holds_alternative<Buffer<float>>(x.values));
  EXPECT_DOUBLE_EQ(x.value(0), 1.0);
}

}  // namespace
}  // namespace lazylogit::io
