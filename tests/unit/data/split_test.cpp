#include "lazylogit/data/split.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lazylogit/base/error.hpp"

namespace lazylogit::data {
namespace {

// Row i holds i % 3 entries of value i, has label i % num_classes and weight i + 0.5.
Rows numbered_rows(std::size_t count, std::size_t num_classes = 1) {
  Rows rows;
  Buffer<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < i % 3; ++k) {
      rows.x.ids.push_back(static_cast<FeatureId>(k));
      values.push_back(static_cast<double>(i));
    }
    rows.x.row_offsets.push_back(rows.x.ids.size());
    rows.labels.push_back(static_cast<ClassId>(i % num_classes));
    rows.weights.push_back(static_cast<double>(i) + 0.5);
  }
  rows.x.num_features = 2;
  rows.x.values = std::move(values);
  return rows;
}

std::size_t number_of(const Rows& rows, std::size_t i) { return static_cast<std::size_t>(rows.weights[i]); }

void expect_consistent(const Rows& rows, std::size_t num_classes, std::set<std::size_t>& seen) {
  ASSERT_EQ(rows.labels.size(), rows.num_rows());
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    const std::size_t number = number_of(rows, i);
    EXPECT_TRUE(seen.insert(number).second);
    EXPECT_EQ(static_cast<std::size_t>(rows.labels[i]), number % num_classes);
    ASSERT_EQ(rows.x.row_ids(i).size(), number % 3);
    for (std::size_t e = rows.x.row_offsets[i]; e < rows.x.row_offsets[i + 1]; ++e)
      EXPECT_EQ(rows.x.value(e), static_cast<double>(number));
    if (i > 0) {
      EXPECT_LT(number_of(rows, i - 1), number);
    }
  }
}

TEST(TakeHoldout, SplitsEveryColumnAndKeepsTheOrder) {
  Rows rows = numbered_rows(100, 4);
  const Rows held = take_holdout(rows, 0.25, 7);
  EXPECT_EQ(held.num_rows(), 25u);
  EXPECT_EQ(rows.num_rows(), 75u);
  EXPECT_EQ(held.x.num_features, 2u);
  std::set<std::size_t> seen;
  expect_consistent(rows, 4, seen);
  expect_consistent(held, 4, seen);
  EXPECT_EQ(seen.size(), 100u);
}

TEST(TakeHoldout, DependsOnTheSeedAlone) {
  Rows a = numbered_rows(50), b = numbered_rows(50), c = numbered_rows(50);
  const Rows x = take_holdout(a, 0.5, 1), y = take_holdout(b, 0.5, 1), z = take_holdout(c, 0.5, 2);
  EXPECT_TRUE(std::equal(x.weights.begin(), x.weights.end(), y.weights.begin()));
  EXPECT_FALSE(std::equal(x.weights.begin(), x.weights.end(), z.weights.begin()));
}

TEST(TakeHoldout, LeavesAtLeastOneRowOnEachSide) {
  Rows rows = numbered_rows(3);
  EXPECT_EQ(take_holdout(rows, 0.001, 1).num_rows(), 1u);
  EXPECT_EQ(take_holdout(rows, 0.999, 1).num_rows(), 1u);
  EXPECT_THROW(take_holdout(rows, 0.5, 1), ConfigError);
}

TEST(TakeHoldout, LeavesARowOfEveryClass) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rows rows = numbered_rows(40, 15);  // two or three rows of each
    const Rows held = take_holdout(rows, 0.8, seed);
    const std::set<ClassId> left(rows.labels.begin(), rows.labels.end());
    EXPECT_EQ(left.size(), 15u);
    EXPECT_GT(held.num_rows(), 0u);
    std::set<std::size_t> seen;
    expect_consistent(rows, 15, seen);
    expect_consistent(held, 15, seen);
    EXPECT_EQ(seen.size(), 40u);
  }
  Rows single = numbered_rows(5, 5);
  EXPECT_THROW(take_holdout(single, 0.5, 1), ConfigError);
}

TEST(TakeHoldout, LeavesARowWithEveryLabel) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rows rows = numbered_rows(12);
    rows.labels.clear();
    for (std::size_t i = 0; i < 12; ++i) {
      const ClassId labels[] = {static_cast<ClassId>(i % 2), static_cast<ClassId>(2 + i / 6)};
      rows.label_sets.push_back(labels);
    }
    const Rows held = take_holdout(rows, 0.9, seed);
    std::set<ClassId> left;
    for (std::size_t i = 0; i < rows.label_sets.size(); ++i)
      left.insert(rows.label_sets[i].begin(), rows.label_sets[i].end());
    EXPECT_EQ(left.size(), 4u);
    EXPECT_EQ(rows.label_sets.size() + held.label_sets.size(), 12u);
  }
}

}  // namespace
}  // namespace lazylogit::data
