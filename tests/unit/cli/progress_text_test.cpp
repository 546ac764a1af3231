#include "lazylogit/cli/progress_text.hpp"

#include <gtest/gtest.h>

namespace lazylogit::cli {
namespace {

TEST(ProgressText, AmountsHaveTwoOrThreeDigits) {
  EXPECT_EQ(amount_text(231e6, "bytes"), "231 MB");
  EXPECT_EQ(amount_text(999, "bytes"), "999 B");
  EXPECT_EQ(amount_text(1234567, "rows"), "1.2 M rows");
  EXPECT_EQ(amount_text(12, "rows"), "12 rows");
}

TEST(ProgressText, DurationsAreShort) {
  EXPECT_EQ(duration_text(0.012), "0.012 s");
  EXPECT_EQ(duration_text(4.26), "4.3 s");
  EXPECT_EQ(duration_text(12), "12 s");
  EXPECT_EQ(duration_text(187), "3:07");
  EXPECT_EQ(duration_text(7387), "2:03:07");
}

TEST(ProgressText, SaysHowFarHowFastAndHowLong) {
  const Progress progress{.phase = "reading", .done = 100'000'000, .total = 200'000'000, .unit = "bytes"};
  EXPECT_EQ(progress_text(progress, 2), "reading: 100 MB of 200 MB, 50 %, 50 MB/s, 2.0 s left");
}

TEST(ProgressText, WithoutATotalThereIsNoTimeLeft) {
  const Progress progress{.phase = "reading", .done = 100'000'000, .total = 0, .unit = "bytes"};
  EXPECT_EQ(progress_text(progress, 2), "reading: 100 MB, 50 MB/s");
}

TEST(ProgressBar, NeverFillsTheLine) {
  const Progress progress{.phase = "reading", .done = 150, .total = 200, .unit = "rows"};
  for (const std::size_t width : {20u, 40u, 60u, 80u, 200u})
    EXPECT_LT(progress_bar(progress, 1, width).size(), width) << width;
  EXPECT_EQ(progress_bar(progress, 1, 80),
            "reading  [###################.......]   75 %  150 rows  150 rows/s  0.33 s left");
}

}  // namespace
}  // namespace lazylogit::cli
