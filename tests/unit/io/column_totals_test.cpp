// What missing cells are imputed with counts a row of weight w as w rows.
#include <gtest/gtest.h>

#include "lazylogit/io/formats/format.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

data::ColumnSpec column_of(const Loaded& loaded, const std::string& name) {
  for (const data::ColumnSpec& column : loaded.data.input.columns)
    if (column.name == name) return column;
  return {};
}

ReadOptions options_with(bool weights, bool text) {
  ReadOptions options;
  options.target = "y";
  if (weights) options.weight = "w";
  if (!weights) options.ignore = {"w"};
  if (text) options.text = {"t"};
  if (!text) options.ignore.push_back("t");
  return options;
}

const char* const weighted =
    "x,c,w,t,y\n"
    "1,a,1,u,p\n"
    "2,b,3,u,q\n"
    ",a,5,u,p\n"
    "0,,2,u,q\n"
    "7,a,0,u,q\n"
    "-1,a,1,u,p\n";
const char* const repeated =
    "x,c,w,t,y\n"
    "1,a,1,u,p\n"
    "2,b,1,u,q\n2,b,1,u,q\n2,b,1,u,q\n"
    ",a,1,u,p\n,a,1,u,p\n,a,1,u,p\n,a,1,u,p\n,a,1,u,p\n"
    "0,,1,u,q\n0,,1,u,q\n"
    "-1,a,1,u,p\n";

TEST(ColumnTotals, ARowOfWeightTwoIsTwoRows) {
  for (const bool text : {false, true}) {
    const Loaded a = table_reading::load_string(Format::csv, weighted, options_with(true, text));
    const Loaded b = table_reading::load_string(Format::csv, repeated, options_with(false, text));
    EXPECT_EQ(column_of(a, "x").impute_number, 6.0 / 7);
    EXPECT_EQ(column_of(b, "x").impute_number, 6.0 / 7);
    EXPECT_EQ(column_of(a, "c").impute_category, "a");
    EXPECT_EQ(column_of(b, "c").impute_category, "a");
  }
}

TEST(ColumnTotals, WeightsDecideWhichCategoryIsTheMostFrequent) {
  const char* const table = "c,w,t,y\na,1,u,p\na,1,u,q\nb,5,u,p\n,1,u,q\n";
  for (const bool text : {false, true}) {
    EXPECT_EQ(column_of(table_reading::load_string(Format::csv, table, options_with(true, text)), "c")
                  .impute_category,
              "b");
    EXPECT_EQ(column_of(table_reading::load_string(Format::csv, table, options_with(false, text)), "c")
                  .impute_category,
              "a");
  }
}

TEST(ColumnTotals, RowsOfWeightZeroAloneGiveZero) {
  const Loaded loaded =
      table_reading::load_string(Format::csv, "x,w,t,y\n5,0,u,p\n,1,u,q\n", options_with(true, false));
  EXPECT_EQ(column_of(loaded, "x").impute_number, 0);
}

}  // namespace
}  // namespace lazylogit::io
