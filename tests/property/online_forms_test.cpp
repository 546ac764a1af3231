// Online gradient steps for labels that are not one class: several labels, numbers, choices.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/data/dense_rows.hpp"
#include "lazylogit/optim/online/online_learner.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t num_rows = 200, num_features = 4;

OnlineSettings settings_of(data::Response response, const prior::AnyPrior& prior) {
  OnlineSettings settings{.prior = prior};
  settings.rate = std::nullopt;
  settings.schedule = {.kind = ScheduleKind::inverse, .per = DecayPer::example, .rate = 0.05, .anneal = 30};
  settings.response = response;
  return settings;
}

data::Rows drawn(std::uint64_t seed) {
  Random random(seed);
  Buffer<double> values;
  for (std::size_t k = 0; k < num_rows * num_features; ++k)
    values.push_back(random.uniform() < 0.3 ? 0.0 : random.normal());
  data::Rows rows;
  rows.x = data::sparse_from_dense(std::move(values), num_rows, num_features);
  return rows;
}

std::vector<double> coefficients_of(const OnlineLearner& learner, bool intercept, std::size_t vector = 0) {
  std::vector<double> all, row(learner.num_vectors());
  for (std::size_t f = 0; f < num_features + (intercept ? 1 : 0); ++f) {
    learner.coefficients(f, row.data());
    all.push_back(row[vector]);
  }
  return all;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-11 * (1 + std::abs(b[i]))) << what << ' ' << i;
}

TEST(OnlineForms, EveryLabelIsAProblemOfTwoClasses) {
  for (const char* name : {"adagrad", "sgd"}) {
    data::Rows rows = drawn(3), one = drawn(3);
    Random random(4);
    for (std::size_t j = 0; j < num_rows; ++j) {
      std::vector<ClassId> set;
      for (const ClassId c : {0, 1, 2})
        if (random.uniform() < 0.4) set.push_back(c);
      if (j == 0) set = {1};
      rows.label_sets.push_back(set);
      rows.weights.push_back(j % 5 == 0 ? 2.0 : 1.0);
    }
    const prior::AnyPrior prior = prior::Laplace::from_variance(0.5);
    const auto together = find_online_learner(name)->make(settings_of(data::Response::labels, prior));
    together->grow(num_features, 3);
    std::vector<RowOutcome> outcomes;
    together->learn(rows, rows.weights.span(), 1, outcomes);
    double sum = 0;
    for (const ClassId c : {0, 1, 2}) {
      one.labels.clear();
      for (std::size_t j = 0; j < num_rows; ++j) {
        const auto set = rows.label_sets[j];
        one.labels.push_back(std::find(set.begin(), set.end(), c) != set.end() ? 1 : 0);
      }
      const auto alone = find_online_learner(name)->make(settings_of(data::Response::classes, prior));
      alone->grow(num_features, 2);
      std::vector<RowOutcome> own;
      alone->learn(one, rows.weights.span(), 1, own);
      for (const RowOutcome& outcome : own) sum += outcome.loss;
      expect_near(coefficients_of(*together, true, static_cast<std::size_t>(c)),
                  coefficients_of(*alone, true), name);
    }
    for (const RowOutcome& outcome : outcomes) sum -= outcome.loss;
    EXPECT_NEAR(sum, 0, 1e-9);
  }
}

// Between two candidates: two classes of the difference, without an intercept.
TEST(OnlineForms, AChoiceBetweenTwoIsADifference) {
  for (const prior::AnyPrior& prior : {prior::AnyPrior(prior::Gaussian::from_variance(0.3)),
                                       prior::AnyPrior(prior::Laplace::from_variance(0.5))}) {
    const data::Rows first = drawn(5), second = drawn(6);
    data::Rows choices, differences;
    Buffer<double> pairs, values;
    Random random(7);
    for (std::size_t j = 0; j < num_rows; ++j) {
      const ClassId taken = random.uniform() < 0.5 ? 1 : 0;
      std::vector<double> a(num_features, 0.0), b(num_features, 0.0);
      for (std::uint64_t k = first.x.row_offsets[j]; k < first.x.row_offsets[j + 1]; ++k)
        a[first.x.ids[k]] = first.x.value(k);
      for (std::uint64_t k = second.x.row_offsets[j]; k < second.x.row_offsets[j + 1]; ++k)
        b[second.x.ids[k]] = second.x.value(k);
      for (const double x : a) pairs.push_back(x);
      for (const double x : b) pairs.push_back(x);
      for (std::size_t f = 0; f < num_features; ++f) values.push_back(b[f] - a[f]);
      choices.labels.push_back(1 - taken);
      choices.labels.push_back(taken);
      choices.choice_ends.push_back(2 * j + 2);
      differences.labels.push_back(taken);
    }
    choices.x = data::sparse_from_dense(std::move(pairs), 2 * num_rows, num_features);
    differences.x = data::sparse_from_dense(std::move(values), num_rows, num_features);
    OnlineSettings settings = settings_of(data::Response::classes, prior);
    settings.intercept = false;
    const auto of_differences = find_online_learner("sgd")->make(settings);
    settings.choices = true;
    const auto of_choices = find_online_learner("sgd")->make(settings);
    std::vector<RowOutcome> a, b;
    of_choices->grow(num_features, 2);
    of_differences->grow(num_features, 2);
    of_choices->learn(choices, {}, 1, a);
    of_differences->learn(differences, {}, 1, b);
    ASSERT_EQ(a.size(), num_rows);
    for (std::size_t j = 0; j < num_rows; ++j) EXPECT_NEAR(a[j].loss, b[j].loss, 1e-11);
    expect_near(coefficients_of(*of_choices, false), coefficients_of(*of_differences, false), "sgd");
  }
}

TEST(OnlineForms, AdaptiveChoicesFindWhatMadeThem) {
  Random random(8);
  constexpr std::size_t choices = 5000, candidates = 3;
  const double truth[num_features] = {1.0, -0.5, 0.0, 0.02};
  data::Rows rows;
  Buffer<double> values;
  for (std::size_t j = 0; j < choices; ++j) {
    double best = -HUGE_VAL;
    std::size_t taken = 0;
    for (std::size_t a = 0; a < candidates; ++a) {
      double score = -std::log(-std::log(random.uniform()));
      for (std::size_t f = 0; f < num_features; ++f) {
        values.push_back(f == 3 ? 50 * random.normal() : random.normal());
        score += truth[f] * values[values.size() - 1];
      }
      if (score > best) best = score, taken = a;
    }
    for (std::size_t a = 0; a < candidates; ++a) rows.labels.push_back(a == taken ? 1 : 0);
    rows.choice_ends.push_back(candidates * (j + 1));
  }
  rows.x = data::sparse_from_dense(std::move(values), choices * candidates, num_features);
  OnlineSettings settings = settings_of(data::Response::classes, prior::Gaussian::from_variance(1));
  settings.intercept = false;
  settings.choices = true;
  const auto learner = find_online_learner("adagrad")->make(settings);
  learner->grow(num_features, 2);
  std::vector<RowOutcome> outcomes;
  learner->learn(rows, {}, 1, outcomes);
  const std::vector<double> found = coefficients_of(*learner, false);
  for (std::size_t f = 0; f < num_features; ++f) EXPECT_NEAR(found[f], truth[f], f == 3 ? 0.004 : 0.12) << f;
}

TEST(OnlineForms, UnitsOfNumbersDoNotMatter) {
  data::Rows rows = drawn(9), large = drawn(9);
  Random random(10);
  for (std::size_t j = 0; j < num_rows; ++j) {
    const double y = 20 + random.normal();
    rows.targets.push_back(y);
    large.targets.push_back(1e6 * y);
  }
  const OnlineSettings settings = settings_of(data::Response::number, prior::Gaussian::from_variance(1e30));
  const auto plain = find_online_learner("adagrad")->make(settings),
             scaled = find_online_learner("adagrad")->make(settings);
  std::vector<RowOutcome> ignored;
  plain->grow(num_features, 1);
  scaled->grow(num_features, 1);
  plain->learn(rows, {}, 1, ignored);
  scaled->learn(large, {}, 1, ignored);
  std::vector<double> expected = coefficients_of(*plain, true);
  for (double& b : expected) b *= 1e6;
  expect_near(coefficients_of(*scaled, true), expected, "adagrad");
}

// A weight of 2 is two equal examples, and long steps do not pass the number.
TEST(OnlineForms, StepsTowardsANumberAreAFlow) {
  data::Rows once = drawn(11);
  once.targets.resize(num_rows);
  for (std::size_t j = 0; j < num_rows; ++j) once.targets[j] = static_cast<double>(j % 3);
  OnlineSettings settings = settings_of(data::Response::number, prior::Uniform{});
  settings.schedule = {.kind = ScheduleKind::constant, .per = DecayPer::example, .rate = 0.7};
  const auto heavy = find_online_learner("sgd")->make(settings),
             twice = find_online_learner("sgd")->make(settings);
  std::vector<RowOutcome> ignored;
  heavy->grow(num_features, 1);
  twice->grow(num_features, 1);
  const std::vector<double> weights(num_rows, 2.0), ones(num_rows, 1.0);
  for (std::size_t j = 0; j < num_rows; ++j) {
    heavy->learn_range(once, {j, j + 1}, weights, 1, ignored);
    for (int k = 0; k < 2; ++k) twice->learn_range(once, {j, j + 1}, ones, 1, ignored);
  }
  expect_near(coefficients_of(*heavy, true), coefficients_of(*twice, true), "sgd");
}

}  // namespace
}  // namespace lazylogit::optim
