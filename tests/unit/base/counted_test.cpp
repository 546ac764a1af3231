#include "lazylogit/base/counted.hpp"

#include <gtest/gtest.h>

namespace lazylogit {
namespace {

TEST(Counted, OneIsSingularAndAllElsePlural) {
  EXPECT_EQ(counted(1, "row"), "1 row");
  EXPECT_EQ(counted(0, "row"), "0 rows");
  EXPECT_EQ(counted(1234, "row"), "1234 rows");
}

TEST(Counted, NounsHaveTheirOwnPlurals) {
  EXPECT_EQ(counted(2, "class"), "2 classes");
  EXPECT_EQ(counted(2, "pass"), "2 passes");
  EXPECT_EQ(counted(2, "entry"), "2 entries");
  EXPECT_EQ(counted(2, "index"), "2 indices");
  EXPECT_EQ(counted(2, "bad row"), "2 bad rows");
  EXPECT_EQ(counted(1, "class"), "1 class");
}

TEST(Counted, AllOfOneIsTheOnlyOne) {
  EXPECT_EQ(all_of(1, "row"), "the only row");
  EXPECT_EQ(all_of(3, "row"), "all 3 rows");
}

}  // namespace
}  // namespace lazylogit
