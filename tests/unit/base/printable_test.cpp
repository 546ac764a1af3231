#include "lazylogit/base/printable.hpp"

#include <gtest/gtest.h>

namespace lazylogit {
namespace {

TEST(Printable, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable("a\x1b[2J\n"), "a\\x1b[2J\\x0a");
  EXPECT_EQ(printable("gr\xC3\xB6n \xff"), "gr\xC3\xB6n \\xff");
  EXPECT_EQ(printable_lines("a\nb\x07\n"), "a\nb\\x07\n");
}

}  // namespace
}  // namespace lazylogit
