#include "lazylogit/data/split.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lazylogit/base/error.hpp"

namespace lazylogit::data {
namespace {

// Row i holds i % 3 entries of value i, has label i and weight i + 0.5.
Rows numbered_rows(std::size_t count) {
  Rows rows;
  Buffer<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < i % 3; ++k) {
      rows.x.ids.push_back(static_cast<FeatureId>(k));
      values.push_back(static_cast<double>(i));
    }
    rows.x.row_offsets.push_back(rows.x.ids.size());
    rows.labels.push_back(static_cast<ClassId>(i));
    rows.weights.push_back(static_cast<double>(i) + 0.5);
  }
  rows.x.num_features = 2;
  rows.x.values = std::move(values);
  return rows;
}

void expect_consistent(const Rows& rows, std::set<ClassId>& seen) {
  ASSERT_EQ(rows.labels.size(), rows.num_rows());
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    const ClassId label = rows.labels[i];
    EXPECT_TRUE(seen.insert(label).second);
    EXPECT_EQ(rows.weights[i], label + 0.5);
    ASSERT_EQ(rows.x.row_ids(i).size(), static_cast<std::size_t>(label % 3));
    for (std::size_t e = rows.x.row_offsets[i]; e < rows.x.row_offsets[i + 1]; ++e)
      EXPECT_EQ(rows.x.value(e), label);
    if (i > 0) {
      EXPECT_LT(rows.labels[i - 1], label);
    }
  }
}

TEST(TakeHoldout, SplitsEveryColumnAndKeepsTheOrder) {
  Rows rows = numbered_rows(100);
  const Rows held = take_holdout(rows, 0.25, 7);
  EXPECT_EQ(held.num_rows(), 25u);
  EXPECT_EQ(rows.num_rows(), 75u);
  EXPECT_EQ(held.x.num_features, 2u);
  std::set<ClassId> seen;
  expect_consistent(rows, seen);
  expect_consistent(held, seen);
  EXPECT_EQ(seen.size(), 100u);
}

TEST(TakeHoldout, DependsOnTheSeedAlone) {
  Rows a = numbered_rows(50), b = numbered_rows(50), c = numbered_rows(50);
  const Rows x = take_holdout(a, 0.5, 1), y = take_holdout(b, 0.5, 1), z = take_holdout(c, 0.5, 2);
  EXPECT_TRUE(std::equal(x.labels.begin(), x.labels.end(), y.labels.begin()));
  EXPECT_FALSE(std::equal(x.labels.begin(), x.labels.end(), z.labels.begin()));
}

TEST(TakeHoldout, LeavesAtLeastOneRowOnEachSide) {
  Rows rows = numbered_rows(3);
  EXPECT_EQ(take_holdout(rows, 0.001, 1).num_rows(), 1u);
  EXPECT_EQ(take_holdout(rows, 0.999, 1).num_rows(), 1u);
  EXPECT_THROW(take_holdout(rows, 0.5, 1), ConfigError);
}

}  // namespace
}  // namespace lazylogit::data
