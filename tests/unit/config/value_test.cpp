#include "lazylogit/config/value.hpp"

#include <gtest/gtest.h>

namespace lazylogit::config {
namespace {

TEST(Value, IntegersHaveNoFractionExponentOrWrapAround) {
  EXPECT_EQ(parse_count("18446744073709551615"), 18446744073709551615u);
  for (const char* bad : {"18446744073709551616", "-1", "1.0", "1e3", "", " 1", "1 ", "0x10", "+-1", "++1"})
    EXPECT_FALSE(parse_count(bad)) << bad;
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_EQ(parse_integer("+7"), 7);
}

TEST(Value, RealsAreFiniteAndWhole) {
  EXPECT_EQ(parse_real("-1.5e-3"), -0.0015);
  for (const char* bad : {"nan", "inf", "1e999", "1,5", "0x1p3", "1.5x", ""})
    EXPECT_FALSE(parse_real(bad)) << bad;
}

TEST(Value, BytesTakeSuffixes) {
  EXPECT_EQ(parse_bytes("512"), 512u);
  EXPECT_EQ(parse_bytes("2G"), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_bytes("1.5k"), 1536u);
  EXPECT_EQ(parse_bytes("64MiB"), std::uint64_t{64} << 20);
  for (const char* bad : {"G", "-1M", "1X", "1e30T", "9999999999T", "B", "iB", ""})
    EXPECT_FALSE(parse_bytes(bad)) << bad;
  EXPECT_EQ(format_bytes(std::uint64_t{256} << 20), "256M");
  EXPECT_EQ(format_bytes(1000), "1000");
}

TEST(Value, ListsEscapeCommas) {
  const std::vector<std::string> names = {"a,b", "c\\d", "e"};
  EXPECT_EQ(parse_list(format_list(names)), names);
  EXPECT_EQ(parse_list("x,y"), (std::vector<std::string>{"x", "y"}));
}

TEST(Bounds, AreDescribedInWords) {
  EXPECT_EQ(describe(above(0), "a number"), "a number above 0");
  EXPECT_EQ(describe(at_least(1), "an integer"), "an integer of at least 1");
  EXPECT_EQ(describe(between(1, 30), "an integer"), "an integer from 1 to 30");
}

}  // namespace
}  // namespace lazylogit::config
