#include "lazylogit/data/class_table.hpp"

#include <gtest/gtest.h>

namespace lazylogit::data {
namespace {

TEST(CanonicalLabel, WritingsOfOneNumberAreOneClass) {
  for (const char* text :
       {"1", "+1", "1.0", "1e0", "01", "1.", "10e-1", "0.1E1", "1.000000000000000000000000"})
    EXPECT_EQ(canonical_label(text), "1") << text;
  for (const char* text : {"0", "-0", "+0.0", "0e99", ".0"}) EXPECT_EQ(canonical_label(text), "0") << text;
  EXPECT_EQ(canonical_label("-1.50"), "-1.5");
  EXPECT_EQ(canonical_label(".25"), "0.25");
  EXPECT_EQ(canonical_label("100"), "100");
  EXPECT_EQ(canonical_label("1e2"), "100");
}

TEST(CanonicalLabel, IntegersOfAnySizeAreExact) {
  EXPECT_EQ(canonical_label("9007199254740993"), "9007199254740993");
  EXPECT_NE(canonical_label("9007199254740993"), canonical_label("9007199254740992"));
  const std::string large = "1" + std::string(400, '2');
  EXPECT_EQ(canonical_label(large), large);
  const std::string round = "-7" + std::string(400, '0');
  EXPECT_EQ(canonical_label(round), round);
}

TEST(CanonicalLabel, OtherTextIsItself) {
  for (const char* text : {"1abc", "spam", "1,5", "0x10", "1e", "--1", "1 2", ".", "+", "e5", "1_000", " 1"})
    EXPECT_EQ(canonical_label(text), text);
}

TEST(CanonicalLabel, NumbersThatAreNotFiniteGiveNothing) {
  for (const char* text : {"nan", "NaN", "inf", "-inf", "+Infinity", "1e999", "-1e400"})
    EXPECT_FALSE(canonical_label(text).has_value()) << text;
}

TEST(CanonicalLabel, UnderflowGivesZero) {
  EXPECT_EQ(canonical_label("1e-500"), "0");
  EXPECT_EQ(canonical_label("-1e-99999999999999999999999"), "0");
  EXPECT_NE(canonical_label("1e-300"), "0");
}

TEST(CanonicalLabel, IsItsOwnCanonicalForm) {
  for (const char* text : {"1e300", "1.25e-30", "1e-7", "0.0000001", "123456789012345678901234567890", "1e21",
                           "1e20", "-2.5e+40", "0.5"}) {
    const std::string once = canonical_label(text).value();
    EXPECT_EQ(canonical_label(once), once) << text;
  }
}

TEST(ClassTable, OrdersNumbersByValue) {
  std::vector<ClassId> order;
  const ClassTable table = ClassTable::from_labels({"10", "9", "-1", "0", "2.5", "-20"}, &order);
  EXPECT_EQ(table.labels(), (std::vector<std::string>{"-20", "-1", "0", "2.5", "9", "10"}));
  EXPECT_EQ(order, (std::vector<ClassId>{5, 4, 1, 2, 3, 0}));
  EXPECT_EQ(table.find("9"), 4);
  EXPECT_EQ(table.find("8"), unknown_class);
}

TEST(ClassTable, OrdersByBytesWhereOneIsNoNumber) {
  const ClassTable table = ClassTable::from_labels({"b", "10", "9", "a"}, nullptr);
  EXPECT_EQ(table.labels(), (std::vector<std::string>{"10", "9", "a", "b"}));
}

}  // namespace
}  // namespace lazylogit::data
