#include "lazylogit/data/row_length.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lazylogit::data {
namespace {

TEST(RowLength, SumsEverySquareWhateverTheirNumber) {
  const std::vector<FeatureId> ids{0, 2, 3, 5, 8, 9, 11, 12, 20};
  const std::vector<float> values{1, -2, 3, -4, 5, -6, 7, -8, 9};
  double sum = 0;
  for (std::size_t count = 0; count <= ids.size(); ++count) {
    const std::span<const FeatureId> some(ids.data(), count);
    EXPECT_EQ(squared_length(RowView<float>{some, values.data()}), sum);
    EXPECT_EQ(squared_length(RowView<One>{some}), static_cast<double>(count));
    if (count < ids.size()) sum += static_cast<double>(values[count]) * static_cast<double>(values[count]);
  }
}

}  // namespace
}  // namespace lazylogit::data
