// Each update rule against its textbook formula, and the error it reaches with decaying steps.
#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/stochastic/epochs.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

const std::vector<double> gradients{0.8, -0.3, 0.5, 0.0, -1.2, 0.7};

// The path of a coefficient that starts at 0 and sees the gradients one after another.
template <class Rule>
std::vector<double> path(const Rule& rule, double rate) {
  double own[2] = {}, state[3] = {}, b = 0;
  std::vector<double> result;
  for (const double g : gradients) {
    rule.begin(own, {rate});
    b += rule.step(state, own, g, {rate});
    result.push_back(b);
  }
  return result;
}
void expect_path(const std::vector<double>& actual, const std::vector<double>& expected) {
  for (std::size_t t = 0; t < expected.size(); ++t)
    EXPECT_NEAR(actual[t], expected[t], 1e-14) << "step " << t;
}

TEST(Rules, MomentumIsTheHeavyBall) {
  std::vector<double> b{0};
  double before = 0, now = 0;
  for (const double g : gradients) {
    const double next = now - 0.1 * g + 0.9 * (now - before);
    before = std::exchange(now, next);
    b.push_back(now);
  }
  expect_path(path(Momentum{}, 0.1), {b.begin() + 1, b.end()});
}
TEST(Rules, AdaGradDividesByTheRootOfTheSum) {
  std::vector<double> expected;
  double sum = 0, b = 0;
  for (const double g : gradients) {
    sum += g * g;
    expected.push_back(b -= 0.1 * g / (1e-8 + std::sqrt(sum)));
  }
  expect_path(path(AdaGrad{}, 0.1), expected);
}
TEST(Rules, RmsPropDividesByTheRunningRoot) {
  std::vector<double> expected;
  double e = 0, b = 0;
  for (const double g : gradients) {
    e = 0.9 * e + 0.1 * g * g;
    expected.push_back(b -= 0.1 * g / (std::sqrt(e) + 1e-8));
  }
  expect_path(path(RmsProp{}, 0.1), expected);
}
TEST(Rules, AdaDeltaKeepsUnits) {
  std::vector<double> expected;
  double e = 0, d = 0, b = 0;
  for (const double g : gradients) {
    e = 0.95 * e + 0.05 * g * g;
    const double delta = -std::sqrt(d + 1e-6) / std::sqrt(e + 1e-6) * g;
    d = 0.95 * d + 0.05 * delta * delta;
    expected.push_back(b += delta);
  }
  expect_path(path(AdaDelta{}, 1), expected);
}
TEST(Rules, AdamCorrectsTheBiasOfBothMoments) {
  std::vector<double> expected;
  double m = 0, v = 0, b = 0, t = 0;
  for (const double g : gradients) {
    ++t;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    expected.push_back(b -=
                       0.1 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8));
  }
  expect_path(path(Adam{}, 0.1), expected);
}
TEST(Rules, AdaMaxDividesByTheLargest) {
  std::vector<double> expected;
  double m = 0, u = 0, b = 0, t = 0;
  for (const double g : gradients) {
    ++t;
    m = 0.9 * m + 0.1 * g;
    u = std::max(0.999 * u, std::abs(g));
    expected.push_back(b -= 0.1 * (m / (1 - std::pow(0.9, t))) / (u + 1e-8));
  }
  expect_path(path(AdaMax{}, 0.1), expected);
}

TEST(Schedule, AdaptiveFollowsTheError) {
  Schedule s{.kind = ScheduleKind::adaptive, .rate = 2};
  EXPECT_EQ(s.at(7, 700), 2);
  s.adapt(true);
  EXPECT_DOUBLE_EQ(s.at(8, 800), 2.1);
  s.adapt(false);
  EXPECT_DOUBLE_EQ(s.at(9, 900), 1.05);
}
TEST(Schedule, NamesWhichConditionFails) {
  EXPECT_FALSE(robbins_monro_failure(ScheduleKind::inverse));
  EXPECT_FALSE(robbins_monro_failure(ScheduleKind::adaptive));
  EXPECT_NE(robbins_monro_failure(ScheduleKind::constant)->find("do not fall"), std::string_view::npos);
  EXPECT_NE(robbins_monro_failure(ScheduleKind::power)->find("squares"), std::string_view::npos);
  EXPECT_NE(robbins_monro_failure(ScheduleKind::exponential)->find("finite sum"), std::string_view::npos);
  // Of a rule whose rates fall with the root of time by themselves.
  for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::power, ScheduleKind::adaptive})
    EXPECT_FALSE(robbins_monro_failure(kind, true));
  for (const ScheduleKind kind : {ScheduleKind::inverse, ScheduleKind::exponential})
    EXPECT_NE(robbins_monro_failure(kind, true)->find("finite sum"), std::string_view::npos);
}

TEST(Rules, SettingsThatDoNotFitAreRefused) {
  const auto p = test::make_sparse_problem({.shape = {.num_classes = 3}}, prior::Laplace{1});
  const auto start = test::prior_means(*p);
  FitRequest request;
  request.problem = p->problem;
  request.start = start;
  StochasticSettings settings{.prior_step = PriorStep::linear};
  request.stochastic = &settings;
  settings.constraints.max_norm = 1;
  EXPECT_THROW(run_rule<PlainRule>(request), ConfigError);
  const auto cauchy = test::make_sparse_problem({.shape = {.num_classes = 3}}, prior::Cauchy::from_scale(1));
  const auto reason = find_optimizer("ftrl").refuses(*cauchy->prior);
  ASSERT_TRUE(reason);
  EXPECT_EQ(
      *reason,
      "optimizer \"ftrl\" needs a convex prior; \"cauchy\" is not. Use sgd, momentum, adagrad, adadelta, "
      "rmsprop, adam, adamax or saga");
}

}  // namespace
}  // namespace lazylogit::optim
