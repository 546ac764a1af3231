#include "lazylogit/io/feature_order.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"

namespace lazylogit::io {
namespace {

// Rows of distinct ascending indices below `limit`, the largest of them among them.
data::SparseMatrix make_rows(std::size_t rows, std::size_t per_row, std::uint64_t limit) {
  data::SparseMatrix x;
  Buffer<float> values;
  Random random(limit);
  for (std::size_t r = 0; r < rows; ++r) {
    std::map<FeatureId, float> row;
    while (row.size() < per_row)
      row[static_cast<FeatureId>(random.below(limit))] = static_cast<float>(random.normal());
    if (r == 0) row[static_cast<FeatureId>(limit - 1)] = 2;
    for (const auto& [id, value] : row) {
      x.ids.push_back(id);
      values.push_back(value);
    }
    x.row_offsets.push_back(x.ids.size());
  }
  x.values = std::move(values);
  return x;
}

struct Entry {
  std::string name;
  float value;
  bool operator==(const Entry&) const = default;
};

std::vector<std::vector<Entry>> entries(const data::SparseMatrix& x, const data::Alphabet& names) {
  std::vector<std::vector<Entry>> all(x.num_rows());
  const auto& values = std::get<Buffer<float>>(x.values);
  for (std::size_t r = 0; r < x.num_rows(); ++r)
    for (std::size_t k = x.row_offsets[r]; k < x.row_offsets[r + 1]; ++k)
      all[r].push_back({std::string(names.name(x.ids[k])), values[k]});
  return all;
}

// Below and above 2^20, and both sides of 16 times the entries: three ways of counting, one answer.
TEST(FeatureOrder, ColumnsAreTheIndicesThatOccurInAscendingOrder) {
  for (const std::uint64_t limit :
       {std::uint64_t{1}, std::uint64_t{64}, std::uint64_t{3000}, std::uint64_t{1} << 20,
        std::uint64_t{1'100'000}, std::uint64_t{1'200'000}, std::uint64_t{4'294'967'295}})
    for (const std::uint64_t min_count : {1u, 2u, 3u}) {
      SCOPED_TRACE(limit);
      const std::size_t per_row = limit < 64 ? 1 : 24;
      const data::SparseMatrix given = make_rows(3000, per_row, limit);
      std::map<FeatureId, std::uint64_t> counts;
      for (const FeatureId id : given.ids) ++counts[id];
      std::vector<std::string> expected_names;
      std::map<FeatureId, std::string> kept;
      for (const auto& [id, count] : counts)
        if (count >= min_count) {
          expected_names.push_back(std::to_string(std::uint64_t{id} + 1));
          kept[id] = expected_names.back();
        }
      std::vector<std::vector<Entry>> expected(given.num_rows());
      for (std::size_t r = 0; r < given.num_rows(); ++r)
        for (std::size_t k = given.row_offsets[r]; k < given.row_offsets[r + 1]; ++k)
          if (const auto found = kept.find(given.ids[k]); found != kept.end())
            expected[r].push_back({found->second, std::get<Buffer<float>>(given.values)[k]});
      for (const std::size_t threads : {1u, 2u}) {
        const ThreadLimit limited(threads);
        data::SparseMatrix x = given;
        data::Alphabet names;
        number_indices(x, names, 1, min_count);
        ASSERT_EQ(x.num_features, expected_names.size());
        ASSERT_EQ(names.size(), expected_names.size());
        for (std::size_t i = 0; i < expected_names.size(); ++i)
          ASSERT_EQ(names.name(static_cast<FeatureId>(i)), expected_names[i]);
        EXPECT_EQ(entries(x, names), expected);
      }
    }
}

TEST(FeatureOrder, NothingGivesNothing) {
  data::SparseMatrix x;
  data::Alphabet names;
  number_indices(x, names, 1, 2);
  EXPECT_EQ(x.num_features, 0u);
  EXPECT_TRUE(names.empty());
}

// Short rows and long ones are sorted in different ways.
TEST(FeatureOrder, RowsOfEveryLengthAreSorted) {
  constexpr std::size_t num_names = 3000;
  data::SparseMatrix given;
  Buffer<float> values;
  Random random(5);
  for (const std::size_t size : {0u, 1u, 2u, 16u, 127u, 128u, 129u, 1000u}) {
    std::map<FeatureId, float> row;
    while (row.size() < size)
      row[static_cast<FeatureId>(random.below(num_names))] = static_cast<float>(random.normal());
    const std::vector<std::pair<FeatureId, float>> ascending(row.begin(), row.end());
    for (std::size_t k = 0; k < size; ++k) {  // every second one, and the others backwards
      const std::size_t from = 2 * k < size ? 2 * k : 2 * (size - k) - 1;
      given.ids.push_back(ascending[from].first);
      values.push_back(ascending[from].second);
    }
    given.row_offsets.push_back(given.ids.size());
  }
  for (const bool ones : {false, true}) {
    data::SparseMatrix x = given;
    if (!ones) x.values = values;
    data::Alphabet names;
    for (std::size_t i = 0; i < num_names; ++i) names.append(std::to_string(i));
    number_names(x, names, 1);
    for (std::size_t r = 0; r < x.num_rows(); ++r) {
      std::map<FeatureId, float> expected;
      for (std::size_t k = x.row_offsets[r]; k < x.row_offsets[r + 1]; ++k)
        expected[given.ids[k]] = values[k];
      std::size_t k = x.row_offsets[r];
      for (const auto& [id, value] : expected) {
        ASSERT_EQ(x.ids[k], id);
        if (!ones) {
          ASSERT_EQ(std::get<Buffer<float>>(x.values)[k], value);
        }
        ++k;
      }
    }
  }
}

TEST(FeatureOrder, RareNamesAreDroppedAndRowsSorted) {
  data::SparseMatrix x;
  data::Alphabet names;
  for (const char* name : {"b", "rare", "a"}) names.append(name);
  for (const std::vector<FeatureId>& row : {std::vector<FeatureId>{2, 0}, {1, 0}, {2}}) {
    for (const FeatureId id : row) x.ids.push_back(id);
    x.row_offsets.push_back(x.ids.size());
  }
  Buffer<float> values;
  for (int k = 0; k < 5; ++k) values.push_back(static_cast<float>(k));
  x.values = std::move(values);
  number_names(x, names, 2);
  const std::vector<std::vector<Entry>> expected{{{"b", 1}, {"a", 0}}, {{"b", 3}}, {{"a", 4}}};
  EXPECT_EQ(entries(x, names), expected);
  EXPECT_EQ(x.num_features, 2u);
}

}  // namespace
}  // namespace lazylogit::io
