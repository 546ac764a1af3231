#include "lazylogit/io/formats/row_index.hpp"

#include <gtest/gtest.h>

#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::apply_string;
using table_reading::error_of;
using table_reading::feature_names;
using table_reading::KeepingLog;
using table_reading::load_string;
using table_reading::show;
using table_reading::starts_with;
using Lines = std::vector<std::string>;

TEST(RowIndex, WhatPandasAndRWriteIsNoFeature) {
  for (const std::string table : {",x,y\n0,1,a\n1,2,b\n2,3,a\n",                       // pandas
                                  "\"\",\"x\",\"y\"\n\"1\",1,\"a\"\n\"2\",2,\"b\"\n",  // R
                                  ",x,y\n17,1,a\n3,2,b\n", ",x,y\nMazda,1,a\nFiat,2,b\n"}) {
    KeepingLog log;
    const Loaded loaded = load_string(Format::csv, table, {}, log);
    EXPECT_EQ(feature_names(loaded), (Lines{"x"})) << table;
    EXPECT_TRUE(log.has("column 1 has no name: it is taken for the names of rows, not for a feature"));
    EXPECT_FALSE(log.has("warning"));
  }
  EXPECT_EQ(feature_names(load_string(Format::tsv, "\tx\ty\n0\t1\ta\n1\t2\tb\n")), (Lines{"x"}));
}

TEST(RowIndex, TablesPutTogetherMayCountAnew) {
  EXPECT_EQ(feature_names(load_string(Format::csv, ",x,y\n0,1,a\n1,2,b\n0,3,a\n1,3,b\n2,1,b\n")),
            (Lines{"x"}));
}

TEST(RowIndex, ValuesThatRepeatAreNoNamesOfRows) {
  EXPECT_TRUE(
      starts_with(error_of(Format::csv, ",x,y\n30,1,a\n41,2,b\n30,3,a\n"),
                  "t:1:1: error: column 1 has no name, and its values are no names of rows (\"30\" repeats), "
                  "expected a header with a name for each column; --ignore \"#1\" leaves it out"));
  EXPECT_EQ(feature_names(load_string(Format::csv, ",x,y\n30,1,a\n41,2,b\n30,3,a\n", {.ignore = {"#1"}})),
            (Lines{"x"}));
}

TEST(RowIndex, OptionsCallItByItsPlace) {
  const std::string_view table = ",x,y\nr1,1,a\nr2,2,b\n";
  EXPECT_EQ(load_string(Format::csv, table, {.id = "#1"}).data.ids, (Lines{"r1", "r2"}));
  EXPECT_EQ(feature_names(load_string(Format::csv, table, {.categorical = {"#1"}})),
            (Lines{"#1=r1", "#1=r2", "x"}));
}

TEST(RowIndex, PredictionTakesTablesWithAndWithoutIt) {
  Loaded with = load_string(Format::csv, ",x,y\n0,1,a\n1,2,b\n");
  KeepingLog log;
  const std::string_view rows = ",x\n0,5\n0,6\n";
  const ReadOptions options{.labels_required = false};
  EXPECT_EQ(show(apply_string(Format::csv, with, rows, options, log), with.data.features, with.data.classes),
            (Lines{"?: x~5", "?: x~6"}));
  EXPECT_TRUE(log.said.empty());
  EXPECT_EQ(apply_string(Format::csv, with, "x\n5\n", options).num_rows(), 1u);
  Loaded without = load_string(Format::csv, "x,y\n1,a\n2,b\n");
  EXPECT_EQ(apply_string(Format::csv, without, rows, options, log).num_rows(), 2u);
  EXPECT_TRUE(log.has("columns that the model does not use: \"#1\""));
}

TEST(RowIndex, ARepeatedHeaderIsFoundAllTheSame) {
  EXPECT_TRUE(starts_with(error_of(Format::csv, ",x,y\n0,1,a\n1,2,b\n,x,y\n0,1,a\n"),
                          "t:4:1: error: the header is repeated here"));
  Loaded loaded = load_string(Format::csv, ",x,y\n0,1,a\n1,2,b\n");
  EXPECT_THROW(apply_string(Format::csv, loaded, ",x,y\n0,1,a\n,x,y\n0,1,a\n"), InputError);
}

TEST(RowIndex, OtherColumnsNeedNames) {
  EXPECT_TRUE(starts_with(error_of(Format::csv, "x,,y\n1,2,a\n"), "t:1:3: error: column 2 has no name"));
  EXPECT_TRUE(starts_with(error_of(Format::csv, ",,y\n1,2,a\n"), "t:1:1: error: column 1 has no name"));
  EXPECT_NE(error_of(Format::csv, ",0,1\n0,5,6\n1,7,8\n").find("every column name is a number"),
            std::string::npos);
}

}  // namespace
}  // namespace lazylogit::io
