#include "lazylogit/io/parse_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>

#include "support/reference_number.hpp"

namespace lazylogit::io {
namespace {

TEST(ParseNumber, TakesDecimalNumbersOnly) {
  double value = 0;
  for (const char* good :
       {"0", "-0", "+1", "1.", ".5", "-.5e1", "1e5", "1E+5", "1e-5", "00012", "1234567.12345678", "12345678",
        "0.123456789012345678901234567890", "123456789012345678901234567890"}) {
    EXPECT_EQ(parse_number(good, value), NumberStatus::ok) << good;
    EXPECT_EQ(value, test::reference_number(good)) << good;
  }
  for (const char* bad :
       {"",     "+",     "-",   ".",  "e5", "1e",  "1e+", "1.2.3", "nan",   "inf",     "-inf",
        "0x10", "1_000", "1,5", " 1", "1 ", "--1", "+-1", "1f",    "1e5.0", "\xD9\xA1"})
    EXPECT_EQ(parse_number(bad, value), NumberStatus::malformed) << bad;
  EXPECT_EQ(parse_number(std::string_view("1\0", 2), value), NumberStatus::malformed);
}

TEST(ParseNumber, OverflowIsAnErrorAndUnderflowIsZero) {
  double value = 1;
  EXPECT_EQ(parse_number("1e400", value), NumberStatus::overflow);
  EXPECT_EQ(parse_number("-1e309", value), NumberStatus::overflow);
  EXPECT_EQ(parse_number(std::string(400, '9'), value), NumberStatus::overflow);
  EXPECT_EQ(parse_number("1e-400", value), NumberStatus::ok);
  EXPECT_EQ(value, 0.0);
  EXPECT_EQ(parse_number("-0." + std::string(500, '0') + "1", value), NumberStatus::ok);
  EXPECT_EQ(value, 0.0);
  EXPECT_EQ(parse_number("0e999999999999999999999", value), NumberStatus::ok);
  EXPECT_EQ(value, 0.0);
  EXPECT_EQ(parse_number("1.7976931348623157e308", value), NumberStatus::ok);
  EXPECT_EQ(value, std::numeric_limits<double>::max());
  EXPECT_EQ(parse_number("4.9e-324", value), NumberStatus::ok);
  EXPECT_EQ(value, std::numeric_limits<double>::denorm_min());
}

TEST(ParseNumber, RoundsAsTheCLibraryDoes) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200000; ++i) {
    char text[64];
    const int digits = static_cast<int>(random() % 18);
    const double scale = std::pow(10.0, static_cast<double>(random() % 24) - 12);
    std::snprintf(text, sizeof text, random() % 3 == 0 ? "%.*e" : "%.*f", digits,
                  (static_cast<double>(random()) * 0x1p-63 - 1) * scale);
    double value = 0;
    ASSERT_EQ(parse_number(text, value), NumberStatus::ok) << text;
    ASSERT_EQ(value, test::reference_number(text)) << text;
  }
}

TEST(ScanNumber, EndsWhereTheGrammarEnds) {
  const auto rest = [](std::string text) {
    const std::size_t size = text.size();
    text.append(64, '\0');
    double value = 0;
    NumberStatus status = NumberStatus::malformed;
    const char* stop = scan_number(text.data(), text.data() + size, value, status);
    return text.substr(static_cast<std::size_t>(stop - text.data()),
                       size - static_cast<std::size_t>(stop - text.data()));
  };
  EXPECT_EQ(rest("1.5 2:3"), " 2:3");
  EXPECT_EQ(rest("1e"), "e");
  EXPECT_EQ(rest("1.2.3"), ".3");
  EXPECT_EQ(rest("12345678901:"), ":");
  EXPECT_EQ(rest("nan"), "nan");
  EXPECT_EQ(rest("0.12345678x"), "x");
  EXPECT_EQ(rest("0.123456789x"), "x");
}

TEST(ScanNumber, DoesNotReadDigitsBehindTheEnd) {
  const std::string text = "1.25" + std::string(64, '7');
  double value = 0;
  NumberStatus status = NumberStatus::malformed;
  EXPECT_EQ(scan_number(text.data(), text.data() + 3, value, status), text.data() + 3);
  EXPECT_EQ(value, 1.2);
}

TEST(ParseInteger, ChecksTheLimitWithoutWrapping) {
  std::uint64_t value = 0;
  EXPECT_EQ(parse_integer("4294967295", 4294967295, value), NumberStatus::ok);
  EXPECT_EQ(value, 4294967295u);
  EXPECT_EQ(parse_integer("4294967296", 4294967295, value), NumberStatus::overflow);
  EXPECT_EQ(parse_integer("18446744073709551615", ~std::uint64_t{0}, value), NumberStatus::ok);
  EXPECT_EQ(parse_integer("18446744073709551616", ~std::uint64_t{0}, value), NumberStatus::overflow);
  EXPECT_EQ(parse_integer("99999999999999999999999999", ~std::uint64_t{0}, value), NumberStatus::overflow);
  EXPECT_EQ(parse_integer("5", 4, value), NumberStatus::overflow);
  for (const char* bad : {"", "-1", "+1", "1.0", "1e3", "0x1", " 1"})
    EXPECT_EQ(parse_integer(bad, 100, value), NumberStatus::malformed) << bad;
}

}  // namespace
}  // namespace lazylogit::io
