#include "lazylogit/io/columns/column_values.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lazylogit/base/random.hpp"

namespace lazylogit::io {
namespace {

std::vector<std::string> texts_of(const ColumnValues& values, std::uint32_t column) {
  std::vector<std::string> names;
  for (std::uint32_t value = values.first(column); value != ColumnValues::none; value = values.next(value))
    names.emplace_back(values.name(value));
  return names;
}

TEST(ColumnValues, AreNumberedByFirstAppearanceOverAllColumns) {
  ColumnValues values;
  EXPECT_EQ(values.intern(3, "b"), 0U);
  EXPECT_EQ(values.intern(0, "b"), 1U);
  EXPECT_EQ(values.intern(3, ""), 2U);
  EXPECT_EQ(values.intern(3, "b"), 0U);
  EXPECT_EQ(values.intern(3, "a"), 3U);
  EXPECT_EQ(values.column(1), 0U);
  EXPECT_EQ(values.column(2), 3U);
  EXPECT_EQ(texts_of(values, 3), (std::vector<std::string>{"b", "", "a"}));
  EXPECT_EQ(texts_of(values, 0), std::vector<std::string>{"b"});
  EXPECT_TRUE(texts_of(values, 1).empty());
  EXPECT_EQ(values.count(3), 3U);
  EXPECT_EQ(values.count(99), 0U);
  EXPECT_TRUE(values.has(3, ""));
  EXPECT_FALSE(values.has(0, ""));
}

// Columns with few and with many values side by side, against a map.
TEST(ColumnValues, FindsThemAgainHoweverManyAColumnHas) {
  ColumnValues values;
  for (const std::uint64_t seed : {1U, 2U}) {
    values.clear();
    EXPECT_TRUE(values.empty());
    std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> expected;
    std::vector<std::uint32_t> counts(50, 0);
    Random random(seed);
    for (int i = 0; i < 40000; ++i) {
      const auto column = static_cast<std::uint32_t>(random.below(50));
      const std::string name = std::to_string(random.below(column == 7 ? 5000 : column % 12 + 1));
      const auto [known, is_new] =
          expected.try_emplace({column, name}, static_cast<std::uint32_t>(expected.size()));
      counts[column] += is_new ? 1 : 0;
      ASSERT_EQ(values.intern(column, name), known->second);
    }
    ASSERT_EQ(values.size(), expected.size());
    for (const auto& [key, value] : expected) {
      EXPECT_EQ(values.column(value), key.first);
      EXPECT_EQ(values.name(value), key.second);
    }
    for (std::uint32_t column = 0; column < 50; ++column) {
      EXPECT_EQ(values.count(column), counts[column]);
      EXPECT_EQ(texts_of(values, column).size(), counts[column]);
    }
  }
}

TEST(ColumnValues, AreAddedWithoutALookWhereTheyAreKnownToBeNew) {
  ColumnValues values;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(values.append(2, std::to_string(i)), static_cast<std::uint32_t>(i));
  EXPECT_EQ(values.count(2), 20U);
  EXPECT_TRUE(values.has(2, "19"));
  EXPECT_FALSE(values.has(2, "20"));
}

}  // namespace
}  // namespace lazylogit::io
