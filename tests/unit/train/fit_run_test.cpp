#include "lazylogit/train/fit_run.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <string>

#include "lazylogit/data/split.hpp"
#include "lazylogit/train/holdout.hpp"
#include "lazylogit/train/trainer.hpp"
#include "support/wordy_data.hpp"

namespace lazylogit::train {
namespace {

// A fit of few rows with many words, whose optimum is worse on others than where it has passed.
struct Overfitted {
  data::Dataset data = test::wordy_data(80, 300, 6, 2);
  data::Rows held_out = data::take_holdout(data, 0.4, 1);

  TrainResult fit(const TrainOptions& options) {
    data::Dataset own = data;
    optim::Observer observer;
    return train(own, options, &held_out, nullptr, observer, silent_log(), {});
  }
  double held_out_loss(const model::Model& model) const {
    return make_holdout_loss(held_out, model.shape)(model.coefficients);
  }
};

TrainOptions overfitting(const std::string& optimizer) {
  TrainOptions options;
  options.optimizer = optimizer;
  options.variance = 1e4;
  return options;
}

TEST(fit_run, exact_steps_go_from_the_best_epoch_to_the_optimum) {
  Overfitted problem;
  TrainOptions options = overfitting("sgd");
  options.tolerance = 0;
  options.finish = 100;
  const TrainResult result = problem.fit(options);
  EXPECT_EQ(result.fit.reason, optim::Termination::converged) << result.fit.message;
  double best = 1e300;
  std::size_t at = 0;
  for (std::size_t i = 0; i < result.fit.trace.size(); ++i)
    if (const optim::PassReport& report = result.fit.trace[i];
        report.online_error == report.online_error && report.holdout_log_loss < best) {
      best = report.holdout_log_loss;
      at = i;
    }
  for (const optim::PassReport& report : result.fit.trace)
    if (!(report.online_error == report.online_error)) {  // the first exact one is of the start itself
      EXPECT_EQ(report.holdout_log_loss, best);
      EXPECT_EQ(report.error, result.fit.trace[at].error);
      break;
    }
}

TEST(fit_run, exact_steps_keep_the_best_of_all_where_early_stopping_is_asked_for) {
  Overfitted problem;
  TrainOptions options = overfitting("sgd");
  options.tolerance = 0;
  options.finish = 100;
  options.early_stopping = 2;
  const TrainResult result = problem.fit(options);
  EXPECT_EQ(result.fit.reason, optim::Termination::plateau) << result.fit.message;
  double best = 1e300;
  for (const optim::PassReport& report : result.fit.trace) best = std::min(best, report.holdout_log_loss);
  EXPECT_EQ(problem.held_out_loss(result.model), best);
}

// Also where the optimum is reached before the loss has not fallen for so long.
TEST(fit_run, early_stopping_keeps_the_best_however_the_fit_ends) {
  Overfitted problem;
  for (const char* const optimizer : {"newton", "lbfgs", "coordinate", "saga"}) {
    TrainOptions options = overfitting(optimizer);
    options.early_stopping = 1000;
    const TrainResult result = problem.fit(options);
    double best = 1e300;
    for (const optim::PassReport& report : result.fit.trace) best = std::min(best, report.holdout_log_loss);
    EXPECT_EQ(problem.held_out_loss(result.model), best) << optimizer;
    EXPECT_EQ(result.fit.reason, optim::Termination::plateau) << optimizer;
    EXPECT_NE(result.fit.message.find("kept are the coefficients after pass"), std::string::npos)
        << result.fit.message;
    ASSERT_TRUE(result.model.record.certificate);
    EXPECT_GT(result.model.record.certificate->relative_gap.value_or(1), options.gap);
  }
}

TEST(fit_run, a_gap_is_that_of_the_exact_steps) {
  Overfitted problem;
  TrainOptions options = overfitting("sgd");
  options.finish = 100;
  options.gap = 1e-10;
  const TrainResult result = problem.fit(options);
  EXPECT_EQ(result.fit.reason, optim::Termination::converged) << result.fit.message;
  EXPECT_LE(result.model.record.certificate->relative_gap.value_or(1), 1e-10);
}

}  // namespace
}  // namespace lazylogit::train
