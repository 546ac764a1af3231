#include "lazylogit/optim/online/kalman_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/random.hpp"

namespace lazylogit::optim {
namespace {

data::Rows random_rows(std::size_t count, std::size_t features, std::uint64_t seed) {
  data::Rows rows;
  Random random(seed);
  Buffer<double> values;
  for (std::size_t j = 0; j < count; ++j) {
    double y = 2 + 0.1 * random.normal();
    for (std::size_t i = 0; i < features; ++i)
      if (random.uniform() < 0.5) {
        rows.x.ids.push_back(static_cast<FeatureId>(i));
        values.push_back(random.normal());
        y += values.back() * std::sin(static_cast<double>(i));
      }
    rows.x.row_offsets.push_back(rows.x.ids.size());
    rows.targets.push_back(y);
    rows.weights.push_back(0.5 + random.uniform());
  }
  rows.x.values = std::move(values);
  rows.x.num_features = features;
  return rows;
}

OnlineSettings settings() {
  OnlineSettings result{.prior = prior::Gaussian::from_variance(3)};
  result.response = data::Response::number;
  return result;
}

std::vector<double> coefficients(const OnlineLearner& learner) {
  std::vector<double> b(learner.num_features() + 1);
  for (std::size_t i = 0; i < b.size(); ++i) learner.coefficients(i, &b[i]);
  return b;
}

TEST(KalmanFilter, features_that_come_later_change_nothing) {
  const data::Rows rows = random_rows(30, 4, 1);
  std::vector<RowOutcome> outcomes;
  const auto all = make_kalman_filter(settings()), late = make_kalman_filter(settings());
  all->grow(4, 1);
  all->learn(rows, rows.weights.span(), 1, outcomes);
  late->grow(4, 1);  // as if the first rows had not shown more
  late->learn_range(rows, {0, 10}, rows.weights.span(), 1, outcomes);
  late->grow(9, 1);
  late->learn_range(rows, {10, 30}, rows.weights.span(), 1, outcomes);
  const auto a = coefficients(*all), b = coefficients(*late);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(a[i], b[i], 1e-13);
  EXPECT_NEAR(a[4], b[9], 1e-13);  // the intercept is the last
  for (std::size_t i = 4; i < 9; ++i) EXPECT_EQ(b[i], 0);
}

TEST(KalmanFilter, order_of_rows_changes_nothing_but_rounding) {
  data::Rows rows = random_rows(40, 5, 2);
  std::vector<RowOutcome> outcomes;
  const auto forward = make_kalman_filter(settings()), backward = make_kalman_filter(settings());
  forward->grow(5, 1);
  backward->grow(5, 1);
  forward->learn(rows, rows.weights.span(), 1, outcomes);
  for (std::size_t j = 40; j-- > 0;)
    backward->learn_range(rows, {j, j + 1}, rows.weights.span(), 1, outcomes);
  const auto a = coefficients(*forward), b = coefficients(*backward);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

TEST(KalmanFilter, goes_on_from_its_records_to_the_bit) {
  const data::Rows rows = random_rows(40, 5, 3);
  std::vector<RowOutcome> outcomes;
  const auto whole = make_kalman_filter(settings()), first = make_kalman_filter(settings()),
             second = make_kalman_filter(settings());
  for (const auto* learner : {&whole, &first, &second}) (*learner)->grow(5, 1);
  whole->learn(rows, rows.weights.span(), 1, outcomes);
  first->learn_range(rows, {0, 20}, rows.weights.span(), 1, outcomes);
  ASSERT_EQ(first->record_width(), second->record_width());
  for (std::size_t i = 0; i <= 5; ++i)
    std::copy_n(static_cast<const OnlineLearner&>(*first).record(i), first->record_width(),
                second->record(i));
  second->restore(first->scalars());
  second->learn_range(rows, {20, 40}, rows.weights.span(), 1, outcomes);
  EXPECT_EQ(coefficients(*whole), coefficients(*second));
  double a = 0, b = 0;
  whole->variances(2, &a);
  second->variances(2, &b);
  EXPECT_EQ(a, b);
}

TEST(KalmanFilter, keeps_independent_variances_beyond_its_limit) {
  const data::Rows rows = random_rows(60, 3, 4);
  std::vector<RowOutcome> outcomes;
  const auto full = make_kalman_filter(settings()), wide = make_kalman_filter(settings());
  full->grow(3, 1);
  wide->grow(3, 1);
  full->learn(rows, rows.weights.span(), 1, outcomes);
  wide->learn(rows, rows.weights.span(), 1, outcomes);
  wide->grow(most_full + 1, 1);  // what was learned stays
  EXPECT_EQ(wide->record_width(), 2U);
  const auto a = coefficients(*full), b = coefficients(*wide);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
  EXPECT_NEAR(a[3], b[most_full + 1], 1e-12);
  outcomes.clear();
  wide->learn(rows, rows.weights.span(), 1, outcomes);
  for (const RowOutcome& outcome : outcomes) EXPECT_TRUE(std::isfinite(outcome.loss));
  const auto c = coefficients(*wide);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(c[i], std::sin(static_cast<double>(i)), 0.2);
}

}  // namespace
}  // namespace lazylogit::optim
