#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/stochastic/epochs.hpp"
#include "lazylogit/optim/stochastic/exact_step.hpp"
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

TEST(Sgd, TheAdaptiveRateRisesWhileTheErrorFallsAndIsHalvedWhereItRises) {
  const auto p =
      make_sparse_problem({.num_rows = 300, .shape = two_classes}, prior::Gaussian::from_variance(0.5));
  StochasticSettings settings{
      .epochs = 40, .tolerance = 0, .learning_rate = 4.0, .schedule = ScheduleKind::adaptive};
  const auto adaptive = fit(*p, settings);
  double rate = 4, before = objective::evaluate_error(p->problem, test::prior_means(*p)).error();
  int fell = 0, rose = 0;
  for (const PassReport& pass : adaptive.trace) {
    EXPECT_NEAR(pass.learning_rate, rate, 1e-12 * rate) << pass.pass;
    (pass.error < before ? fell : rose) += 1;
    rate *= pass.error < before ? 1.05 : 0.5;
    before = pass.error;
  }
  EXPECT_GE(fell, 3);
  EXPECT_GE(rose, 3);
  settings.schedule = ScheduleKind::constant;
  const auto constant = fit(*p, settings);
  settings.learning_rate = {};
  settings.schedule = {};
  const double best = error_of(*p, fit(*p, settings));
  EXPECT_LT(error_of(*p, adaptive), best + 0.2 * (error_of(*p, constant) - best));
}

// One row of the second class, told from the others by its first feature.
std::unique_ptr<SparseProblem> one_in_ten_thousand(std::uint64_t seed) {
  auto p = make_sparse_problem(
      {.num_rows = 10'000, .num_features = 3, .density = 1, .shape = two_classes, .seed = seed},
      prior::Gaussian::from_variance(1));
  const std::size_t rare = 777 * seed % 10'000;
  for (std::size_t r = 0; r < p->labels.size(); ++r) p->labels[r] = r == rare;
  std::get<Buffer<double>>(p->x.values)[p->x.row_offsets[rare]] = 3;
  return p;
}

TEST(Sgd, ARareClassIsLearnedByARateFoundByTrying) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto p = one_in_ten_thousand(seed);
    const auto found = fit(*p, {.seed = seed});
    const auto best = fit(*p, {.epochs = 200, .tolerance = 0, .learning_rate = 0.3});
    EXPECT_LE(error_of(*p, found), 1.5 * error_of(*p, best)) << seed << ": " << found.message;
  }
}

TEST(Sgd, AnErrorAboveThatOfTheFrequenciesOfClassesIsNoSuccess) {
  const auto p = one_in_ten_thousand(1);
  const auto long_steps = fit(*p, {.learning_rate = 2674.0});
  EXPECT_LT(error_of(*p, long_steps), objective::evaluate_error(p->problem, test::prior_means(*p)).error());
  EXPECT_EQ(long_steps.reason, Termination::no_progress);
  EXPECT_NE(long_steps.message.find("frequencies of classes"), std::string::npos) << long_steps.message;
  EXPECT_NE(long_steps.message.find("--learning-rate"), std::string::npos) << long_steps.message;
}

TEST(Sgd, ARateSoLowThatTheErrorStandsStillIsNoSuccess) {
  const auto p = make_sparse_problem({.num_rows = 400, .num_features = 2, .density = 1, .shape = two_classes},
                                     prior::Gaussian::from_variance(1));
  for (std::size_t r = 0; r < p->labels.size(); ++r)
    p->labels[r] = std::get<Buffer<double>>(p->x.values)[p->x.row_offsets[r]] > 0.3;
  const auto slow = fit(*p, {.learning_rate = 1e-9});
  EXPECT_EQ(slow.reason, Termination::no_progress);
  EXPECT_NE(slow.message.find("exact step"), std::string::npos) << slow.message;
  EXPECT_EQ(fit(*p, {.epochs = 200, .tolerance = 1e-4}).reason, Termination::tolerance);
}

TEST(ExactStep, GainsNothingAtTheOptimumAndMuchFarFromIt) {
  const auto p = make_sparse_problem({.num_rows = 200, .num_features = 3, .density = 1, .shape = two_classes},
                                     prior::Laplace::from_variance(1));
  const auto start = test::prior_means(*p);
  FitRequest request;
  request.problem = p->problem;
  request.start = start;
  const auto best = fit(*p, {.epochs = 400, .tolerance = 0});
  EXPECT_LT(gain_of_exact_step(request, best.coefficients), 1e-3);
  math::Vector far(best.coefficients);
  for (double& b : far) b += 3;
  EXPECT_GT(gain_of_exact_step(request, far), 0.25);
}

// What is tried on a sample that lacks the outlier is far too long for it.
TEST(Sgd, ARateFoundByTryingIsCutWhereTheErrorRises) {
  auto p = make_sparse_problem({.num_rows = 6000, .num_features = 3, .density = 1, .shape = two_classes},
                               prior::Gaussian::from_variance(1));
  for (std::size_t r = 0; r < 3; ++r) std::get<Buffer<double>>(p->x.values)[r] = 1e4;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto summary = fit(*p, {.seed = seed});
    EXPECT_LE(error_of(*p, summary), 6000 * std::log(2.0) * 1.0001) << seed << ": " << summary.message;
    EXPECT_NE(summary.reason, Termination::numeric_failure);
  }
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

// Whether a rare class is in the sample is not left to chance, so that the rate does not depend on it.
TEST(LearningRate, HasABoundWhereARareClassIsSeldomDrawn) {
  const auto p = one_in_ten_thousand(1);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const double rate =
        choose_learning_rate(p->problem, {.seed = seed}, test::positive_rows(*p), test::prior_means(*p));
    EXPECT_LT(rate, 100) << seed;
    EXPECT_GT(rate, 1e-3) << seed;
  }
}

// Where one class is all there is every step lowers the error.
TEST(LearningRate, HasABoundWhereEveryStepLowersTheError) {
  const auto p = make_sparse_problem({.num_rows = 500, .shape = two_classes}, prior::Uniform{});
  std::fill(p->labels.begin(), p->labels.end(), 1);
  const double rate = choose_learning_rate(p->problem, {}, test::positive_rows(*p), test::prior_means(*p));
  EXPECT_LE(rate, 256.0);  // examples have a length of 1 and more
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
