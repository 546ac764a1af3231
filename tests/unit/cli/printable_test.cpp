#include "lazylogit/cli/printable.hpp"

#include <gtest/gtest.h>

#include "lazylogit/cli/csv_field.hpp"

namespace lazylogit::cli {
namespace {

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[2J\n"), "a\\x1b[2J\\x0a");
  EXPECT_EQ(printable("gr\xC3\xB6n \xff"), "gr\xC3\xB6n \\xff");
  EXPECT_EQ(printable_lines("a\nb\x07\n"), "a\nb\\x07\n");
}

TEST(CsvField, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

}  // namespace
}  // namespace lazylogit::cli
