#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/stochastic/epochs.hpp"
#include "lazylogit/optim/stochastic/learning_rate.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

using test::make_sparse_problem;
using test::SparseProblem;
using test::two_classes;

FitSummary fit(const SparseProblem& p, const StochasticSettings& settings, FitRequest request = {}) {
  const auto start = test::prior_means(p);
  request.problem = p.problem;
  request.start = start;
  request.stochastic = &settings;
  return run_rule<PlainRule>(request);
}

double error_of(const SparseProblem& p, const FitSummary& summary) {
  return objective::evaluate_error(p.problem, summary.coefficients).error();
}

TEST(Sgd, StopsOnTheToleranceNearTheOptimum) {
  const auto p =
      make_sparse_problem({.num_rows = 400, .shape = two_classes}, prior::Gaussian::from_variance(0.5));
  const auto rough = fit(*p, {.epochs = 200, .tolerance = 1e-7});
  EXPECT_EQ(rough.reason, Termination::tolerance);
  const auto longer = fit(*p, {.epochs = 2000, .tolerance = 0});
  EXPECT_EQ(longer.reason, Termination::max_passes);
  EXPECT_EQ(longer.passes, 2000u);
  EXPECT_NEAR(error_of(*p, rough), error_of(*p, longer), 0.01 * error_of(*p, longer));
  EXPECT_LE(error_of(*p, longer), error_of(*p, rough) * (1 + 1e-9));
  EXPECT_NEAR(rough.trace.back().error, error_of(*p, rough), 1e-9);
}

TEST(Sgd, EveryBatchSizeHasTheSameFixedPoint) {
  const auto p =
      make_sparse_problem({.num_rows = 60, .shape = two_classes}, prior::Gaussian::from_variance(0.2));
  const double best = error_of(*p, fit(*p, {.epochs = 4000, .tolerance = 0}));
  for (const std::uint64_t batch : {7u, 60u}) {
    const auto batched = fit(*p, {.epochs = 4000,
                                  .tolerance = 0,
                                  .learning_rate = 0.05,
                                  .schedule = ScheduleKind::constant,
                                  .batch_size = batch});
    EXPECT_NEAR(error_of(*p, batched), best, 2e-3 * best) << batch;
  }
}

TEST(Sgd, TheSameSeedGivesTheSameBytesForAnyNumberOfThreads) {
  const auto p = make_sparse_problem({.num_rows = 300, .shape = {.num_classes = 4}, .weights = true},
                                     prior::Laplace::from_variance(1));
  std::optional<FitSummary> first;
  for (const std::size_t threads : {1u, 2u, 5u}) {
    const ThreadLimit limit(threads);
    auto summary = fit(*p, {.epochs = 5, .tolerance = 0, .seed = 3});
    if (!first) {
      first = std::move(summary);
      continue;
    }
    EXPECT_EQ(first->coefficients, summary.coefficients);
    EXPECT_EQ(first->trace.back().error, summary.trace.back().error);
  }
  EXPECT_NE(first->coefficients, fit(*p, {.epochs = 5, .tolerance = 0, .seed = 4}).coefficients);
}

TEST(Sgd, ExamplesOfWeightZeroCountForNothing) {
  const auto p = make_sparse_problem({.num_rows = 60, .shape = two_classes, .weights = true},
                                     prior::Gaussian::from_variance(1));
  auto without = make_sparse_problem({.num_rows = 60, .shape = two_classes, .weights = true},
                                     prior::Gaussian::from_variance(1));
  for (std::size_t r = 0; r < without->labels.size(); ++r)
    if (without->weights[r] == 0) without->labels[r] = 1 - without->labels[r];
  const StochasticSettings settings{.epochs = 3, .tolerance = 0};
  EXPECT_EQ(fit(*p, settings).coefficients, fit(*without, settings).coefficients);
}

TEST(Sgd, ADivergingRunKeepsTheLastGoodCoefficients) {
  auto p = make_sparse_problem({.num_rows = 50, .shape = two_classes}, prior::Uniform{});
  std::get<Buffer<double>>(p->x.values)[3] = 1e200;
  const auto summary = fit(*p, {.epochs = 10, .learning_rate = 1e150});
  EXPECT_EQ(summary.reason, Termination::numeric_failure);
  EXPECT_NE(summary.message.find("--learning-rate"), std::string::npos) << summary.message;
  for (const double b : summary.coefficients) EXPECT_TRUE(std::isfinite(b));
}

TEST(Sgd, StopsWhenCancelledOrOutOfTime) {
  const auto p = make_sparse_problem({.num_rows = 50, .shape = two_classes}, prior::Uniform{});
  const std::atomic<bool> raised = true;
  FitRequest request;
  request.cancel = CancelToken(&raised);
  EXPECT_EQ(fit(*p, {.epochs = 100}, request).reason, Termination::cancelled);
  FitRequest hurried;
  hurried.max_seconds = 1e-9;
  const auto summary = fit(*p, {.epochs = 100}, hurried);
  EXPECT_EQ(summary.reason, Termination::max_seconds);
  EXPECT_GE(summary.trace.size(), 1u);
}

TEST(Sgd, RefusesSettingsThatContradictEachOther) {
  const auto p = make_sparse_problem({.shape = two_classes}, prior::Uniform{});
  EXPECT_THROW(fit(*p, {.prior_every = 10, .average = true}), ConfigError);
  EXPECT_THROW(fit(*p, {.learning_rate = -1.0}), ConfigError);
  EXPECT_THROW(fit(*p, {.batch_size = 0}), ConfigError);
}

TEST(Sgd, TellsObserversAndHeldOutLoss) {
  struct Count : Observer {
    int passes = 0;
    double holdout = 0;
    void on_pass(const PassReport& report) override {
      ++passes;
      holdout = report.holdout_log_loss;
    }
  } count;
  const auto p = make_sparse_problem({.shape = two_classes}, prior::Uniform{});
  FitRequest request;
  request.observer = &count;
  request.holdout_log_loss = [](std::span<const double>) { return 0.25; };
  fit(*p, {.epochs = 3, .tolerance = 0}, request);
  EXPECT_EQ(count.passes, 3);
  EXPECT_EQ(count.holdout, 0.25);
}

TEST(LearningRate, FollowsTheUnitsOfTheData) {
  const auto p = make_sparse_problem({.num_rows = 300, .shape = two_classes}, prior::Uniform{});
  auto scaled = make_sparse_problem(
      {.num_rows = 300, .shape = {.num_classes = 2, .reference = ClassId{0}, .has_intercept = false}},
      prior::Uniform{});
  const auto plain = make_sparse_problem(
      {.num_rows = 300, .shape = {.num_classes = 2, .reference = ClassId{0}, .has_intercept = false}},
      prior::Uniform{});
  for (double& value : std::get<Buffer<double>>(scaled->x.values)) value *= 1024;
  const auto rate = [](const SparseProblem& q) {
    return choose_learning_rate(q.problem, {}, test::positive_rows(q), test::prior_means(q));
  };
  EXPECT_GT(rate(*p), 0);
  EXPECT_NEAR(rate(*scaled) * 1024 * 1024, rate(*plain), 1e-9 * rate(*plain));
}

// Every prior, shape and kind of step leads to about the same error as many small steps do.
TEST(Sgd, EveryPriorComesCloseToItsOptimum) {
  const std::vector<prior::AnyPrior> priors{prior::Gaussian::from_variance(0.5),
                                            prior::Laplace::from_variance(0.5), prior::Cauchy::from_scale(1),
                                            prior::ElasticNet{0.5, 0.5}};
  for (const auto& prior : priors)
    for (const bool average : {false, true}) {
      const auto p = make_sparse_problem({.num_rows = 300, .shape = {.num_classes = 3}}, prior);
      const auto best = fit(*p, {.epochs = 200, .tolerance = 0});
      const auto quick = fit(*p, {.epochs = 30, .average = average});
      EXPECT_LE(error_of(*p, quick), error_of(*p, best) * 1.01) << "average " << average;
    }
}

}  // namespace
}  // namespace lazylogit::optim
