#include "lazylogit/cli/time_left.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lazylogit::cli {
namespace {

optim::PassReport pass_at(std::uint64_t pass, double seconds, optim::PassLimits limits,
                          double gap = optim::not_computed) {
  return {.pass = pass, .relative_gap = gap, .seconds = seconds, .limits = limits};
}

TEST(TimeLeftOfFit, EpochsThatAreLeftTakeAsLongAsThoseBefore) {
  TimeLeftOfFit fit;
  const auto left = fit.after(pass_at(5, 10, {.passes = 20}));
  ASSERT_TRUE(left);
  EXPECT_DOUBLE_EQ(left->seconds, 30);
  EXPECT_EQ(left->text(), "<= 30 s left");
  EXPECT_DOUBLE_EQ(fit.after(pass_at(20, 40, {.passes = 20}))->seconds, 0);
}

TEST(TimeLeftOfFit, TheTimeLimitCountsWhereItComesFirst) {
  TimeLeftOfFit fit;
  EXPECT_DOUBLE_EQ(fit.after(pass_at(5, 10, {.passes = 20, .seconds = 12}))->seconds, 2);
  EXPECT_DOUBLE_EQ(fit.after(pass_at(6, 13, {.passes = 20, .seconds = 12}))->seconds, 0);
}

TEST(TimeLeftOfFit, AGapThatFallsGeometricallyIsFollowedToTheAskedOne) {
  TimeLeftOfFit fit;
  // gap = exp(-t): 1e-6 is reached after ln(1e6) seconds.
  std::optional<TimeLeft> left;
  for (int t = 1; t <= 6; ++t)
    left = fit.after(pass_at(static_cast<std::uint64_t>(t), t, {.gap = 1e-6}, std::exp(-t)));
  ASSERT_TRUE(left);
  EXPECT_FALSE(left->at_most);
  EXPECT_NEAR(left->seconds, std::log(1e6) - 6, 1e-9);
  // A pass without a proof goes on counting.
  EXPECT_NEAR(fit.after(pass_at(7, 7, {.gap = 1e-6}))->seconds, std::log(1e6) - 7, 1e-9);
  // The estimate was wrong: nothing is said until there is another proof.
  EXPECT_FALSE(fit.after(pass_at(20, 20, {.gap = 1e-6})));
}

TEST(TimeLeftOfFit, NothingIsSaidOfAGapThatHardlyFallsOrOfOneProofAlone) {
  TimeLeftOfFit fit;
  EXPECT_FALSE(fit.after(pass_at(1, 1, {.gap = 1e-6}, 0.5)));
  EXPECT_FALSE(fit.after(pass_at(2, 2, {.gap = 1e-6}, 0.4)));
  EXPECT_FALSE(fit.after(pass_at(3, 3, {.gap = 1e-6}, 0.6)));
  EXPECT_FALSE(fit.after(pass_at(4, 4, {})));
}

TEST(TimeLeftOfFit, AnotherFitBeginsAnew) {
  TimeLeftOfFit fit;
  for (int t = 1; t <= 6; ++t)
    fit.after(pass_at(static_cast<std::uint64_t>(t), t, {.gap = 1e-6}, std::exp(-t)));
  EXPECT_FALSE(fit.after(pass_at(1, 1, {.gap = 1e-6}, 0.5)));
}

}  // namespace
}  // namespace lazylogit::cli
