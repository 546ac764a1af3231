#include "lazylogit/data/feature_moments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace lazylogit::data {
namespace {

// Columns of the same numbers, each in its own unit.
SparseMatrix table_of(const std::vector<double>& numbers, const std::vector<double>& units) {
  SparseMatrix x;
  x.num_features = units.size();
  Buffer<double> values;
  for (const double number : numbers) {
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (number == 0) continue;
      x.ids.push_back(static_cast<std::uint32_t>(i));
      values.push_back(number * units[i]);
    }
    x.row_offsets.push_back(x.ids.size());
  }
  x.values = std::move(values);
  return x;
}

TEST(FeatureMoments, AColumnOfVerySmallNumbersIsNotConstant) {
  const std::vector<double> units = {1, 0x1p-1000, 0x1p-500, 0x1p500};
  for (const std::vector<double>& numbers : {std::vector<double>{1, 2, 3, 4.5}, {0, 2, 0, -4.5}}) {
    const FeatureMoments moments = feature_moments(table_of(numbers, units), {});
    EXPECT_GT(moments.deviations[0], 1);
    for (std::size_t i = 1; i < units.size(); ++i)
      EXPECT_EQ(moments.deviations[i], moments.deviations[0] * units[i]) << units[i];
  }
}

TEST(FeatureMoments, AConstantColumnHasNoDeviationInAnyUnit) {
  const FeatureMoments moments = feature_moments(table_of({3, 3, 3}, {1, 1e-300, 1e300}), {});
  EXPECT_EQ(moments.deviations, std::vector<double>(3, 0.0));
}

TEST(FeatureMoments, TheMeanOfAConstantColumnIsItsValue) {
  EXPECT_EQ(feature_moments(table_of({0.1, 0.1, 0.1}, {1, 3}), {}).means,
            (std::vector<double>{0.1, 0.1 * 3}));
}

}  // namespace
}  // namespace lazylogit::data
