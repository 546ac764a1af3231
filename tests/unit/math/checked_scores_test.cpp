#include "lazylogit/math/checked_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace lazylogit::math {
namespace {

constexpr std::size_t features = 300;

// ShuffledRows of 0, 1, 2, … entries in no order.
struct ShuffledRows {
  std::vector<std::uint64_t> offsets{0};
  std::vector<FeatureId> ids;
  std::vector<float> floats;
  std::vector<double> doubles;
  ShuffledRows() {
    for (std::size_t i = 0; i < 60; ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        ids.push_back(static_cast<FeatureId>((i * 31 + k * 97) % features));
        floats.push_back(static_cast<float>(std::sin(static_cast<double>(ids.size()))));
        doubles.push_back(std::cos(static_cast<double>(ids.size())));
      }
      offsets.push_back(ids.size());
    }
  }
  RowRange range() const { return {offsets.data(), ids.data(), offsets.size() - 1}; }
};

class CheckedScores : public testing::TestWithParam<CheckedWay> {
 protected:
  CheckedScores() { set_checked_way(GetParam()); }
  ~CheckedScores() override { set_checked_way(CheckedWay::automatic); }
};

TEST_P(CheckedScores, HaveTheBitsOfScoreRows) {
  const ShuffledRows rows;
  for (const std::size_t stride : {std::size_t{1}, std::size_t{2}, std::size_t{8}, std::size_t{24}}) {
    std::vector<double> b(features * stride), intercepts(stride, -0.25);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(static_cast<double>(i) * 0.7);
    for (const double* start :
         {static_cast<const double*>(nullptr), static_cast<const double*>(intercepts.data())}) {
      const ScoreTable table{b.data(), stride, start};
      std::vector<double> expected(60 * stride), found(60 * stride, -1.0);
      score_rows(rows.range(), rows.doubles.data(), table, expected.data());
      EXPECT_TRUE(score_checked_rows(rows.range(), rows.doubles.data(), table, features, found.data()));
      EXPECT_EQ(found, expected);
      score_rows(rows.range(), rows.floats.data(), table, expected.data());
      EXPECT_TRUE(score_checked_rows(rows.range(), rows.floats.data(), table, features, found.data()));
      EXPECT_EQ(found, expected);
    }
  }
}

TEST_P(CheckedScores, TellAnIdOutOfRangeWhereverItIs) {
  ShuffledRows rows;
  const std::vector<double> b(features, 1.0);
  const ScoreTable table{b.data(), 1, nullptr};
  std::vector<double> scores(60);
  for (std::size_t k = 0; k < rows.ids.size(); k += 7)
    for (const FeatureId odd :
         {FeatureId{features}, FeatureId{1} << 31, std::numeric_limits<FeatureId>::max()}) {
      const FeatureId before = std::exchange(rows.ids[k], odd);
      EXPECT_FALSE(score_checked_rows(rows.range(), rows.doubles.data(), table, features, scores.data()))
          << k;
      rows.ids[k] = before;
    }
  EXPECT_FALSE(score_checked_rows(rows.range(), rows.doubles.data(), table, 0, scores.data()));
  const std::uint64_t empty[] = {0, 0, 0};
  EXPECT_TRUE(score_checked_rows({empty, nullptr, 2}, rows.doubles.data(), table, 0, scores.data()));
}

INSTANTIATE_TEST_SUITE_P(Ways, CheckedScores, testing::Values(CheckedWay::automatic, CheckedWay::two_passes));

}  // namespace
}  // namespace lazylogit::math
