#include "lazylogit/train/learning_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/random.hpp"
#include "lazylogit/data/split.hpp"

namespace lazylogit::train {
namespace {

data::Dataset make_data(std::size_t rows) {
  data::Dataset data;
  data.features.append("x");
  data.classes = data::ClassTable::from_ordered({"a", "b"});
  Random random(3);
  Buffer<double> values;
  for (std::size_t j = 0; j < rows; ++j) {
    const double x = random.normal();
    data.x.ids.push_back(0);
    values.push_back(x);
    data.x.row_offsets.push_back(j + 1);
    data.labels.push_back(x + random.normal() > 1 ? 1 : 0);
  }
  data.x.values = std::move(values);
  data.x.num_features = 1;
  return data;
}

TEST(LearningCurve, SizesGrowGeometricallyToAllRows) {
  EXPECT_EQ(curve_sizes(1024, 2), (std::vector<std::size_t>{10, 17, 28, 47, 78, 131, 219, 366, 612, 1024}));
  EXPECT_EQ(curve_sizes(6, 3), (std::vector<std::size_t>{6}));
  const std::vector<std::size_t> many = curve_sizes(1'000'000, 2);
  EXPECT_EQ(many.size(), 10U);
  EXPECT_EQ(many.front(), 1953U);
  EXPECT_EQ(many.back(), 1'000'000U);
}

TEST(LearningCurve, LossesMeetAsRowsGrow) {
  data::Dataset data = make_data(3000);
  const data::Rows held_out = data::take_holdout(data, 0.3, 1);
  std::size_t told = 0;
  const std::vector<CurvePoint> curve =
      learning_curve(data, {}, held_out, [&](const CurvePoint&) { ++told; }, {});
  ASSERT_EQ(curve.size(), told);
  ASSERT_GE(curve.size(), 8U);
  EXPECT_EQ(curve.back().rows, data.num_rows());
  EXPECT_LT(curve.back().held_out_loss, curve.front().held_out_loss);
  EXPECT_LT(std::abs(curve.back().held_out_loss - curve.back().train_loss), 0.05);
  EXPECT_GT(curve.back().held_out_score, 0.75);
}

TEST(LearningCurve, TheSameSeedGivesTheSameCurve) {
  data::Dataset data = make_data(300);
  const data::Rows held_out = data::take_holdout(data, 0.3, 1);
  const auto a = learning_curve(data, {}, held_out, {}, {}), b = learning_curve(data, {}, held_out, {}, {});
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k].held_out_loss, b[k].held_out_loss);
}

}  // namespace
}  // namespace lazylogit::train
