#include "lazylogit/train/comparison.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "lazylogit/data/split.hpp"
#include "lazylogit/train/trainer.hpp"
#include "support/wordy_data.hpp"

namespace lazylogit::train {
namespace {

using test::wordy_data;

struct CountedPasses final : optim::Observer {
  std::vector<std::uint64_t> passes;
  void on_pass(const optim::PassReport& report) override { passes.push_back(report.pass); }
};

Comparison compared(data::Dataset data, const TrainOptions& options, const std::vector<std::string>& names,
                    const data::Rows* holdout = nullptr) {
  optim::Observer observer;
  return compare(data, options, comparable_optimizers(names, options), holdout, observer, silent_log(), {});
}

std::string bounds_from(const std::string& text) {
  const std::string path = testing::TempDir() + "/" + std::to_string(::getpid()) + "_compared_bounds.csv";
  std::ofstream(path) << text;
  return path;
}

std::string refusal(const std::vector<std::string>& names, const TrainOptions& options) {
  try {
    comparable_optimizers(names, options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

// What auto does ahead of the exact steps are passes and seconds like all others.
TEST(comparison, counts_the_epochs_of_a_head_start) {
  data::Dataset data = wordy_data(6000, 4000, 100, 4);
  TrainOptions options;
  options.gap = 1e-3;
  CountedPasses seen;
  const Comparison result =
      compare(data, options, comparable_optimizers({"auto"}, options), nullptr, seen, silent_log(), {});
  const Contestant& contestant = result.contestants.front();
  ASSERT_NE(contestant.reason.find("epochs"), std::string::npos) << contestant.reason;
  EXPECT_GT(contestant.trace.front().report.pass, 2U);
  EXPECT_GE(contestant.passes, contestant.trace.back().report.pass);
  EXPECT_EQ(seen.passes.front(), contestant.trace.front().report.pass);
  EXPECT_GT(contestant.trace.front().report.seconds, 0);
  EXPECT_LE(contestant.trace.back().report.seconds, contestant.seconds);
}

TEST(comparison, keeps_bounds_as_training_does) {
  TrainOptions options;
  options.prior = "gaussian";
  options.bounds = bounds_from("feature,class,lower,upper\n*,*,0,0.25\n");
  const data::Dataset data = wordy_data(300, 12, 4, 2);
  const Comparison result = compared(data, options, {"saga", "adagrad"});
  options.optimizer = "saga";
  data::Dataset own = data;
  optim::Observer observer;
  const double bounded =
      train(own, options, nullptr, nullptr, observer, silent_log(), {}).model.record.error();
  EXPECT_NEAR(result.contestants[0].error, bounded, 1e-5 * bounded);
  EXPECT_FALSE(result.proved) << "a certificate is of the optimum without bounds";
  EXPECT_TRUE(result.constrained);
  EXPECT_LE(result.lower_bound, bounded * (1 + 1e-6));
  EXPECT_LT(result.contestants[0].gap, 1e-5);
  EXPECT_NE(result.contestants[0].reached(1e-5), nullptr);
}

TEST(comparison, only_optimizers_that_keep_the_constraints_take_part) {
  TrainOptions options;
  options.max_norm = 0.5;
  EXPECT_EQ(comparable_optimizers({}, options).names, (std::vector<std::string>{"sgd", "momentum"}));
  EXPECT_NE(refusal({"sgd", "newton"}, options).find("option --max-norm"), std::string::npos);
  EXPECT_NE(refusal({"auto"}, options).find("option --max-norm"), std::string::npos);
}

TEST(comparison, gaps_within_a_ball_are_to_the_lowest_error_found) {
  TrainOptions options;
  options.max_norm = 0.5;
  const Comparison result = compared(wordy_data(300, 12, 4, 2), options, {"sgd", "momentum"});
  EXPECT_FALSE(result.proved);
  double lowest = INFINITY;
  for (const Contestant& contestant : result.contestants) {
    lowest = std::min(lowest, contestant.error);
    for (const Evaluated& line : contestant.trace) lowest = std::min(lowest, line.report.error);
    EXPECT_LT(contestant.gap, 0.1);
  }
  EXPECT_EQ(result.lower_bound, lowest);
}

TEST(comparison, takes_the_exact_steps_after_the_epochs) {
  TrainOptions options;
  options.finish = 8;
  options.epochs = 2;
  options.gap = 1e-9;
  const Comparison result = compared(wordy_data(300, 12, 4, 2), options, {"sgd", "newton"});
  EXPECT_EQ(result.contestants[0].termination, "converged") << result.contestants[0].message;
  EXPECT_LE(result.contestants[0].gap, 1e-9);
  EXPECT_GT(result.contestants[0].passes, 2U);
}

TEST(comparison, options_that_auto_would_ignore_are_refused) {
  TrainOptions options;
  options.average = true;
  EXPECT_NE(refusal({"auto"}, options).find("option --average"), std::string::npos);
  EXPECT_EQ(refusal({"auto", "sgd"}, options), "");
}

// Stopping early would hide what comes after; whoever asks for it has it.
TEST(comparison, stops_early_on_held_out_rows_only_when_asked) {
  data::Dataset data = wordy_data(60, 300, 4, 2);
  const data::Rows held_out = data::take_holdout(data, 0.4, 1);
  TrainOptions options;
  options.variance = 1e6;
  options.epochs = 30;
  options.tolerance = 0;
  EXPECT_NE(compared(data, options, {"sgd"}, &held_out).contestants[0].termination, "plateau");
  options.early_stopping = 1;
  EXPECT_EQ(compared(data, options, {"sgd"}, &held_out).contestants[0].termination, "plateau");
}

}  // namespace
}  // namespace lazylogit::train
