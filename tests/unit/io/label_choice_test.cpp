// Which column holds the labels where no option says so.
#include <gtest/gtest.h>

#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::error_of;
using table_reading::KeepingLog;
using table_reading::load_string;
using table_reading::starts_with;

TEST(LabelChoice, AUsualNameThatIsNestedIsRefusedNotPassedOver) {
  for (const std::string value : {"[1,0]", "[\"u\",\"w\"]", "{\"a\":1}"})
    EXPECT_TRUE(starts_with(
        error_of(Format::jsonl, "{\"x\":1,\"label\":" + value + "}\n{\"x\":2,\"label\":[]}\n"),
        "t: error: the key \"label\" holds objects or arrays, expected a name or a number under "
        "what labels are usually called; --target names the key of the labels; --multilabel takes"));
  EXPECT_EQ(
      load_string(Format::jsonl, "{\"x\":1,\"label\":[1,0]}\n{\"x\":2,\"label\":[0,1]}\n", {.target = "x"})
          .data.classes.size(),
      2u);
}

TEST(LabelChoice, AnArrayUnderTheNameOfTheTargetPointsAtMultilabel) {
  const std::string error = error_of(Format::jsonl, "{\"x\":1,\"l\":[\"u\"]}\n", {.target = "l"});
  EXPECT_TRUE(
      starts_with(error, "t:1:12: error: column \"l\": found \"[\", expected a plain value; --multilabel"));
}

TEST(LabelChoice, SeveralUsualNamesAreAWarning) {
  KeepingLog log;
  const Loaded loaded = load_string(Format::csv, "class,x,target\na,1,u\nb,2,v\n", {}, log);
  EXPECT_EQ(loaded.data.classes.label(0), "u");
  EXPECT_TRUE(log.has(
      "t: warning: columns that could hold the labels: \"target\", \"class\"; \"target\" is taken, the "
      "others are features; --target chooses"));
  KeepingLog chosen;
  load_string(Format::csv, "class,x,target\na,1,u\nb,2,v\n", {.target = "class"}, chosen);
  EXPECT_FALSE(chosen.has("warning"));
  KeepingLog ignored;
  load_string(Format::csv, "class,x,target\na,1,u\nb,2,v\n", {.ignore = {"class"}}, ignored);
  EXPECT_FALSE(ignored.has("warning"));
}

}  // namespace
}  // namespace lazylogit::io
