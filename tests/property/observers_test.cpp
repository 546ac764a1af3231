// Every optimizer of the catalog is watched and ended in the same ways: a plateau of the held-out loss, a time budget,
// a wish to cancel; what it reports holds; numbers out of range never reach the coefficients.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

struct Written final : Observer {
  std::vector<PassReport> passes, trials;
  void on_pass(const PassReport& report) override { passes.push_back(report); }
  void on_trial(const PassReport& report) override { trials.push_back(report); }
};

bool all_finite(std::span<const double> b) {
  return std::all_of(b.begin(), b.end(), [](double value) { return std::isfinite(value); });
}

class Watched : public testing::TestWithParam<std::string> {
 protected:
  Watched()
      : p_(test::make_sparse_problem({.num_rows = 150,
                                      .num_features = 8,
                                      .density = 0.5,
                                      .shape = {.num_classes = 2, .reference = ClassId{0}},
                                      .seed = 3},
                                     prior::Gaussian::from_variance(1))),
        start_(test::prior_means(*p_)) {
    settings_.tolerance = 0;
    settings_.epochs = 40;
    request_.problem = p_->problem;
    request_.start = start_;
    request_.gap = 1e-13;
    request_.stochastic = &settings_;
    request_.observer = &seen_;
  }
  FitSummary fit() { return find_optimizer(GetParam()).run(request_); }
  double error_of(std::span<const double> b) const {
    return objective::evaluate_error(p_->problem, b).error();
  }

  std::unique_ptr<test::SparseProblem> p_;
  std::vector<double> start_;
  StochasticSettings settings_;
  Written seen_;
  FitRequest request_;
};

TEST_P(Watched, StopsAtThePlateauAndKeepsTheBest) {
  std::vector<math::Vector> looked;
  request_.holdout_log_loss = [&](std::span<const double> b) {
    looked.emplace_back(b.begin(), b.end());
    return looked.size() == 1 ? 1.0 : 2.0;
  };
  request_.patience = 2;
  const FitSummary result = fit();
  EXPECT_EQ(result.reason, Termination::plateau) << result.message;
  ASSERT_EQ(looked.size(), 3U);
  EXPECT_EQ(result.coefficients, looked.front());
  EXPECT_EQ(seen_.passes.back().holdout_log_loss, 2.0);
}

TEST_P(Watched, GoesOnWhileTheHeldOutLossFalls) {
  double loss = 1;
  request_.holdout_log_loss = [&](std::span<const double>) { return loss *= 0.99; };
  request_.patience = 1;
  request_.gap = 1e-6;
  EXPECT_NE(fit().reason, Termination::plateau);
}

TEST_P(Watched, EndsWithinTheTimeItHas) {
  request_.max_seconds = 1e-9;
  const FitSummary result = fit();
  EXPECT_EQ(result.reason, Termination::max_seconds) << result.message;
  EXPECT_TRUE(all_finite(result.coefficients));
  EXPECT_LE(seen_.passes.size(), 2U);
}

// Steps that are too long: the last epoch, or step, is seldom the best.
TEST_P(Watched, GivesTheBestThereWasWhenItsTimeIsUp) {
  settings_.learning_rate = 3;
  settings_.epochs = 1'000'000;
  request_.batch.step_rule = StepRule::constant;
  request_.batch.step = 0.2;
  request_.max_seconds = 0.02;
  const FitSummary result = fit();
  if (result.reason == Termination::converged) return;
  double best = error_of(start_);
  for (const PassReport& pass : seen_.passes) best = std::min(best, pass.error);
  EXPECT_LE(error_of(result.coefficients), best * (1 + 1e-8)) << result.message;
}

TEST_P(Watched, EndsWhenItIsCancelled) {
  const std::atomic<bool> flag = true;
  request_.cancel = CancelToken(&flag);
  const FitSummary result = fit();
  EXPECT_EQ(result.reason, Termination::cancelled) << result.message;
  EXPECT_TRUE(all_finite(result.coefficients));
}

// Nobody who cancels waits for a proof: after the pass at which the wish came nearly nothing follows.
TEST_P(Watched, TakesFewPassesAfterTheWishToCancel) {
  if (find_optimizer(GetParam()).stochastic) return;
  struct Canceller final : Observer {
    std::atomic<bool>& flag;
    std::uint64_t at = 0;
    explicit Canceller(std::atomic<bool>& f) : flag(f) {}
    void on_pass(const PassReport& report) override {
      at = report.pass;
      flag = report.pass >= 3;
    }
  };
  std::atomic<bool> flag{false};
  Canceller observer(flag);
  request_.observer = &observer;
  request_.cancel = CancelToken(&flag);
  const FitSummary result = fit();
  if (result.reason != Termination::cancelled) return;  // it had converged before
  EXPECT_LE(result.passes, observer.at);
}

TEST_P(Watched, ReportsWhatItDid) {
  const FitSummary result = fit();
  ASSERT_GE(seen_.passes.size(), 2U);
  for (std::size_t i = 1; i < seen_.passes.size(); ++i) {
    EXPECT_GT(seen_.passes[i].pass, seen_.passes[i - 1].pass);
    EXPECT_GE(seen_.passes[i].seconds, seen_.passes[i - 1].seconds);
    EXPECT_TRUE(seen_.passes[i].accepted);
  }
  EXPECT_NEAR(seen_.passes.back().error, error_of(result.coefficients), 1e-9 * seen_.passes.back().error);
  for (const PassReport& trial : seen_.trials) EXPECT_FALSE(trial.accepted);
  EXPECT_GE(result.passes, seen_.passes.back().pass);
}

// Exact optimizers tell the part of their direction that they took, stochastic ones their learning rate.
TEST_P(Watched, TellsItsSteps) {
  request_.gap = 1e-6;
  request_.batch.step_rule = StepRule::constant;  // gd
  fit();
  ASSERT_GE(seen_.passes.size(), 2U);
  const bool stochastic = find_optimizer(GetParam()).stochastic;
  for (std::size_t i = 1; i < seen_.passes.size(); ++i) {
    EXPECT_EQ(std::isnan(seen_.passes[i].step), stochastic);
    EXPECT_EQ(seen_.passes[i].step > 0, !stochastic);
    EXPECT_EQ(seen_.passes[i].learning_rate > 0, stochastic);
    if (!stochastic) {
      EXPECT_GE(seen_.passes[i].gradient_norm, 0.0);
    }
  }
}

// However the fit ends, by the gap, the limit on epochs or the tolerance.
TEST_P(Watched, KeepsTheBestThatItLookedAt) {
  std::vector<math::Vector> looked;
  request_.holdout_log_loss = [&](std::span<const double> b) {
    looked.emplace_back(b.begin(), b.end());
    return looked.size() == 2 ? 0.5 : 1.0;
  };
  request_.patience = 100000;
  request_.gap = 1e-6;
  settings_.epochs = 4;
  const FitSummary result = fit();
  ASSERT_GE(looked.size(), 3U);
  EXPECT_EQ(result.coefficients, looked[1]);
  EXPECT_NE(result.reason, Termination::converged) << "those that are kept are not the optimum";
  EXPECT_NE(result.message.find("kept are the coefficients after pass"), std::string::npos) << result.message;
}

// Epochs before exact steps, or another start: what is seen goes on from there.
TEST_P(Watched, CountsOnFromWhatEarlierStagesTook) {
  request_.before = {.passes = 100, .seconds = 1000};
  request_.gap = 1e-6;
  const FitSummary result = fit();
  ASSERT_FALSE(seen_.passes.empty());
  EXPECT_GT(seen_.passes.front().pass, 100U);
  EXPECT_LT(seen_.passes.front().pass, 104U);
  EXPECT_GE(result.passes, seen_.passes.back().pass);
  for (const PassReport& report : seen_.passes) EXPECT_GE(report.seconds, 1000.0);
  for (const PassReport& trial : seen_.trials) EXPECT_GE(trial.seconds, 1000.0);
  ASSERT_EQ(result.trace.size(), seen_.passes.size());
  for (std::size_t i = 0; i < result.trace.size(); ++i) EXPECT_EQ(result.trace[i].pass, seen_.passes[i].pass);
}

TEST_P(Watched, TheTimeItHasIsThatOfAllStages) {
  request_.before.seconds = 1000;
  request_.max_seconds = 1000;
  const FitSummary result = fit();
  EXPECT_EQ(result.reason, Termination::max_seconds) << result.message;
  EXPECT_LE(seen_.passes.size(), 2U);
}

TEST_P(Watched, NeverGivesANumberOutOfRange) {
  std::vector<double> wild(start_.size());
  for (std::size_t i = 0; i < wild.size(); ++i) wild[i] = i % 2 == 0 ? 1e150 : -1e150;
  request_.start = wild;
  request_.max_seconds = 5;
  EXPECT_TRUE(all_finite(fit().coefficients));
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const OptimizerEntry& entry : optimizers()) all.emplace_back(entry.name);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Catalog, Watched, testing::ValuesIn(names()),
                         [](const auto& suite) { return suite.param; });

}  // namespace
}  // namespace lazylogit::optim
