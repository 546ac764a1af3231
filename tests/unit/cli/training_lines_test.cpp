#include "lazylogit/cli/training_lines.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lazylogit::cli {
namespace {

const optim::PassReport full_pass{.pass = 12,
                                  .error = 4512.25,
                                  .relative_gap = 1.2e-4,
                                  .learning_rate = 0.05,
                                  .holdout_log_loss = 0.4512,
                                  .seconds = 8.1};
const TimeLeft three_seconds{3, false};

TEST(TrainingLine, HasErrorGapHeldOutLossRateTimeAndTimeLeft) {
  EXPECT_EQ(
      training_line(full_pass, 810'000, three_seconds, std::string::npos),
      "pass 12   error 4512.25  gap 1.20e-04  held-out loss 0.45120  rate 0.05  1.2 M rows/s  8.1 s  ~ 3.0 s "
      "left");
}

TEST(TrainingLine, LeavesOutWhatIsNotKnown) {
  const optim::PassReport report{.pass = 1,
                                 .error = 10,
                                 .relative_gap = optim::not_computed,
                                 .learning_rate = optim::not_computed,
                                 .holdout_log_loss = optim::not_computed};
  EXPECT_EQ(training_line(report, 100, {}, std::string::npos), "pass 1    error 10");
}

TEST(TrainingLine, FitsTheWidthAndKeepsTheTimeLeftLongest) {
  for (std::size_t width = 10; width < 120; ++width)
    EXPECT_LE(training_line(full_pass, 810'000, three_seconds, width).size(), width);
  EXPECT_EQ(training_line(full_pass, 810'000, three_seconds, 79),
            "pass 12   error 4512.25  held-out loss 0.45120  1.2 M rows/s  ~ 3.0 s left");
  EXPECT_EQ(training_line(full_pass, 810'000, three_seconds, 50), "pass 12   error 4512.25  ~ 3.0 s left");
}

}  // namespace
}  // namespace lazylogit::cli
