// Models of a grid, learned side by side, against each of them alone.
#include "lazylogit/optim/online/grid_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/random.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t num_features = 60;

data::Rows make_rows(std::size_t count, ClassId classes, std::uint64_t seed) {
  Random random(seed);
  data::Rows rows;
  Buffer<double> values;
  for (std::size_t j = 0; j < count; ++j) {
    for (FeatureId f = 0; f < num_features; ++f)
      if (random.uniform() < 4.0 / (3 + f)) {
        rows.x.ids.push_back(f);
        values.push_back(std::exp(2 * random.normal()) * (f % 3 == 0 ? -1 : 1));
      }
    rows.x.row_offsets.push_back(rows.x.ids.size());
    rows.labels.push_back(static_cast<ClassId>(random.uniform() * (j < count / 2 ? 2 : classes)));
    rows.weights.push_back(j % 5 == 0 ? 0 : j % 7 == 0 ? 2.5 : 1);
  }
  rows.x.values = std::move(values);
  rows.x.num_features = num_features;
  return rows;
}

template <class MakePrior>
std::vector<OnlineSettings> grid_of(const MakePrior& make, std::size_t count) {
  std::vector<OnlineSettings> all;
  for (std::size_t g = 0; g < count; ++g)
    all.push_back({.prior = make(std::pow(10.0, static_cast<double>(g) - 3)), .prior_on_intercept = g > 100});
  return all;
}

void expect_same_bits(const OnlineLearner& a, const OnlineLearner& b) {
  ASSERT_EQ(a.num_features(), b.num_features());
  ASSERT_EQ(a.num_vectors(), b.num_vectors());
  ASSERT_EQ(a.record_width(), b.record_width());
  EXPECT_EQ(a.has_reference(), b.has_reference());
  EXPECT_EQ(a.scalars(), b.scalars());
  std::vector<double> x(a.num_vectors()), y(a.num_vectors());
  for (std::size_t f = 0; f <= a.num_features(); ++f) {
    for (std::size_t k = 0; k < a.record_width(); ++k)
      EXPECT_EQ(a.record(f)[k], b.record(f)[k]) << f << ' ' << k;
    a.coefficients(f, x.data());
    b.coefficients(f, y.data());
    EXPECT_EQ(x, y) << f;
  }
}

void compare(std::vector<OnlineSettings> settings, ClassId classes, bool hashed = false) {
  const data::Rows rows = make_rows(400, classes, 3);
  for (OnlineSettings& one : settings) one.hashed = hashed;
  auto together = make_grid_steps(settings);
  ASSERT_EQ(together.size(), settings.size());
  for (OnlineSettings& one : settings) one.hashed = false;
  for (std::size_t g = 0; g < settings.size(); ++g) {
    const auto alone = find_online_learner("adagrad")->make(settings[g]);
    for (OnlineLearner* learner : {alone.get(), together[g].get()}) {
      std::vector<RowOutcome> outcomes;
      learner->grow(num_features / 2 + 30, 2);
      learner->learn_range(rows, {0, 200}, rows.weights.span(), 1, outcomes);
      learner->grow(num_features + 3, static_cast<std::size_t>(classes));
      learner->learn_range(rows, {200, 350}, rows.weights.span(), 1, outcomes);
      learner->learn_range(rows, {350, 400}, rows.weights.span(), 1, outcomes);
      EXPECT_EQ(outcomes.size(), 320U);
    }
    expect_same_bits(std::as_const(*alone), std::as_const(*together[g]));
  }
}

TEST(GridSteps, EveryModelHasTheBitsThatItHasAlone) {
  for (const std::size_t count : {2U, 7U, 8U, 11U}) {
    compare(grid_of([](double v) { return prior::Gaussian::from_variance(v); }, count), 2);
    compare(grid_of([](double v) { return prior::Laplace::from_variance(v); }, count), 2);
  }
}

TEST(GridSteps, ModelsGoOnAloneWhenAThirdClassComes) {
  compare(grid_of([](double v) { return prior::Gaussian::from_variance(v); }, 5), 3);
}

TEST(GridSteps, ModelsOfHashedFeaturesHaveTheSameBits) {
  const auto settings = grid_of([](double v) { return prior::Gaussian::from_variance(v); }, 5);
  compare(settings, 2, true);
  compare(settings, 3, true);
}

TEST(GridSteps, OutcomesAreThoseOfEachModel) {
  const auto settings = grid_of([](double v) { return prior::Gaussian::from_variance(v); }, 4);
  const data::Rows rows = make_rows(100, 2, 5);
  auto together = make_grid_steps(settings);
  std::vector<std::vector<RowOutcome>> seen(settings.size());
  for (std::size_t g = 0; g < settings.size(); ++g) {
    together[g]->grow(num_features, 2);
    for (const OnlineLearner::Range range : {OnlineLearner::Range{0, 40}, OnlineLearner::Range{40, 100}})
      together[g]->learn_range(rows, range, rows.weights.span(), 1, seen[g]);
  }
  for (std::size_t g = 0; g < settings.size(); ++g) {
    const auto alone = find_online_learner("adagrad")->make(settings[g]);
    alone->grow(num_features, 2);
    std::vector<RowOutcome> own;
    alone->learn(rows, rows.weights.span(), 1, own);
    ASSERT_EQ(own.size(), seen[g].size());
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_EQ(own[i].loss, seen[g][i].loss);
  }
}

TEST(GridSteps, OtherPriorsLearnApart) {
  EXPECT_TRUE(
      make_grid_steps({{.prior = prior::Cauchy::from_scale(1)}, {.prior = prior::Cauchy::from_scale(2)}})
          .empty());
}

}  // namespace
}  // namespace lazylogit::optim
