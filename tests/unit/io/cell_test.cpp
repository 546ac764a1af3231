#include "lazylogit/io/columns/cell.hpp"

#include <gtest/gtest.h>

namespace lazylogit::io {
namespace {

TEST(Cell, UnitsStandBesideNumbers) {
  for (const std::string_view text : {"12%", "12.5 %", "-3%", "1,5%"})
    EXPECT_EQ(unit_of_number(text), "%") << text;
  for (const std::string_view text : {"$5", "-$1,000", "$ 1,234.50"})
    EXPECT_EQ(unit_of_number(text), "$") << text;
  EXPECT_EQ(unit_of_number("7 €"), "€");
  for (const std::string_view text : {"", "%", "5", "5kg", "a%", "$a", "$", "%5%"})
    EXPECT_EQ(unit_of_number(text), "") << text;
}

TEST(Cell, DatesHaveAYearAMonthAndADay) {
  for (const std::string_view text : {"2024-01-31", "31.1.2024", "1/31/2024", "1/31/24", "2024/1/2",
                                      "2024-01-31 10:15:00", "2024-01-31T10:15:00.5Z", "1/31/24 9:15 PM"})
    EXPECT_TRUE(is_date(text)) << text;
  for (const std::string_view text :
       {"", "2024", "2024-01", "10.1.15", "10-1-15", "192.168.1.1", "555-12-3456", "2024-31-31", "1-2-3",
        "2024-01-31 noon", "a-b-c", "2024-0-1", "--"})
    EXPECT_FALSE(is_date(text)) << text;
}

}  // namespace
}  // namespace lazylogit::io
