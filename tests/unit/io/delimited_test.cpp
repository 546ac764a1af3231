#include "lazylogit/io/formats/delimited.hpp"

#include <gtest/gtest.h>

#include "lazylogit/base/parallel.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::apply_string;
using table_reading::feature_names;
using table_reading::in_memory;
using table_reading::KeepingLog;
using table_reading::show;
using table_reading::starts_with;
using Lines = std::vector<std::string>;

Loaded load_csv(std::string_view text, const ReadOptions& options = {}, Log& log = silent_log()) {
  return table_reading::load_string(Format::csv, text, options, log);
}
std::string csv_error(std::string_view text, const ReadOptions& options = {}) {
  return table_reading::error_of(Format::csv, text, options);
}

TEST(Csv, MakesFeaturesOfNumbersAndCategories) {
  const Loaded loaded = load_csv("age,job,label\n30,cook,yes\n0,\"a, b\",no\n4.5,cook,yes\n");
  EXPECT_EQ(feature_names(loaded), (Lines{"age", "job=a, b", "job=cook"}));
  EXPECT_EQ(show(loaded), (Lines{"yes: age~30 job=cook~1", "no: job=a, b~1", "yes: age~4.5 job=cook~1"}));
  EXPECT_EQ(loaded.data.classes.labels(), (Lines{"no", "yes"}));
  EXPECT_EQ(loaded.summary.target, "label");
}

TEST(Csv, TakesTheLastColumnAsLabelAndSaysSo) {
  KeepingLog log;
  const Loaded loaded = load_csv("a,b\n1,x\n2,y\n", {}, log);
  EXPECT_EQ(loaded.summary.target, "b");
  EXPECT_TRUE(log.has("label column: \"b\", the last one"));
  EXPECT_EQ(load_csv("a,Y,c\n1,x,2\n2,z,3\n").summary.target, "Y");
}

TEST(Csv, ImputesMissingCellsAndMarksThem) {
  KeepingLog log;
  const Loaded loaded = load_csv("a,b,y\n1,u,0\n,v,1\n3,NA,0\n?,v,1\n", {}, log);
  EXPECT_EQ(show(loaded), (Lines{"0: a~1 b=u~1", "1: a~2 a=missing~1 b=v~1", "0: a~3 b=v~1 b=missing~1",
                                 "1: a~2 a=missing~1 b=v~1"}));
  EXPECT_TRUE(log.has("column \"a\": 2 missing values"));
  EXPECT_EQ(loaded.data.input.columns[1].impute_category, "v");
}

TEST(Csv, WarnsOfLabelsThatDifferInBlanks) {
  KeepingLog log;
  load_csv("a,y\n1,u\n2,u \n", {}, log);
  EXPECT_TRUE(log.has("the labels \"u\" and \"u \" differ in blanks alone and are two classes"));
}

TEST(Csv, RefusesFieldsBeyondTheLimit) {
  ReadOptions options;
  options.limits.max_field_bytes = 8;
  EXPECT_EQ(
      csv_error("a,y\n1,u\n0.50000000000,v\n", options),
      "t:3:1: error: column \"a\": a value is longer than the limit of 8 bytes; --max-field-bytes raises the "
      "limit");
  options.weight = "w";
  EXPECT_EQ(
      csv_error("a,w,y\n1,1,u\n2,1.0000000000,v\n", options),
      "t:3:3: error: column \"w\": a value is longer than the limit of 8 bytes; --max-field-bytes raises the "
      "limit");
}

TEST(Csv, RefusesAFirstLineBeyondTheLimit) {
  ReadOptions options;
  options.limits.max_line_bytes = 100000;
  const std::string line(200000, 'x');
  for (const Format format : {Format::csv, Format::jsonl})
    EXPECT_EQ(table_reading::error_of(format, line, options),
              "t:1:1: error: a line is longer than 100000 bytes, which is the limit; see --max-line-bytes");
}

TEST(Csv, AModelKnowsThatTablesHaveNoHeader) {
  Loaded loaded = load_csv("1,u,x\n2,v,y\n", {.header = false});
  EXPECT_FALSE(loaded.data.input.has_header);
  EXPECT_EQ(
      show(apply_string(Format::csv, loaded, "7,v,x\n2,u,y\n"), loaded.data.features, loaded.data.classes),
      (Lines{"x: 1~7 2=v~1", "y: 1~2 2=u~1"}));
}

TEST(Csv, RejectedRowsLeaveNoCategories) {
  const ReadOptions options = {.skip_bad_rows = true};
  const std::string text = "c,a,y\nu,1,x\nbad,1e999,x\nv,2,z\nworse,3\n\"w\",4,x\n";
  const Loaded loaded = load_csv(text, options);
  EXPECT_EQ(feature_names(loaded), (Lines{"c=u", "c=v", "c=w", "a"}));
  EXPECT_EQ(show(loaded), (Lines{"x: c=u~1 a~1", "z: c=v~1 a~2", "x: c=w~1 a~4"}));
  EXPECT_EQ(loaded.summary.bad_rows, 2u);
}

// Quoted fields, blank lines and CRLF between plain rows, over several stretches of text: each row the long way must
// leave the short way where it was.
TEST(Csv, MixesPlainRowsWithOthers) {
  std::string mixed = "a,c,y\n", plain = mixed;
  for (int i = 0; i < 5000; ++i) {
    const std::string number = std::to_string(i) + "." + std::to_string(i % 7),
                      name = "n" + std::to_string(i % 11);
    const std::string label = i % 3 == 0 ? "p" : "q";
    plain += number + "," + name + "," + label + "\n";
    const std::string quoted = i % 5 == 0 ? "\"" + name + "\"" : name;
    mixed += (i % 13 == 0 ? " " : "") + number + "," + quoted + "," + label + (i % 4 == 0 ? "\r\n" : "\n");
    if (i % 17 == 0) mixed += "\n";
  }
  const Lines expected = show(load_csv(plain));
  ASSERT_EQ(expected.size(), 5000u);
  for (const std::size_t threads : {1u, 2u, 5u}) {
    const ThreadLimit limit(threads);
    for (const std::size_t block : {100u, 5000u, 1u << 20}) {
      std::vector<Input> inputs = in_memory(mixed);
      EXPECT_EQ(show(load_delimited(inputs, Format::csv, {}, silent_log(), {}, block)), expected);
    }
  }
}

TEST(Csv, ReadsRowsThatAreLongerThanALookAhead) {
  constexpr int columns = 9000;
  std::string header, plain, quoted;
  for (int c = 0; c < columns; ++c) header += "x" + std::to_string(c) + ",";
  for (int r = 0; r < 3; ++r) {
    std::string row;
    for (int c = 0; c < columns; ++c) row += std::to_string((r + c) % 10) + ".25,";
    plain += row + (r == 1 ? "u\n" : "v\n");
    quoted += row + (r == 1 ? "\"u\"\n" : "\"v\"\n");
  }
  const Lines rows = show(load_csv(header + "y\n" + plain));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_TRUE(starts_with(rows[1], "u: x0~1.25 x1~2.25"));
  EXPECT_EQ(rows, show(load_csv(header + "y\n" + quoted)));
}

TEST(Csv, ObeysTheMissingPolicy) {
  EXPECT_EQ(csv_error("a,y\n1,0\n,1\n", {.missing = data::MissingPolicy::error}),
            "t:3:1: error: column \"a\": found \"\", expected a value, as --missing error asks");
  const Loaded loaded = load_csv("a,b,y\n1,u,0\n,w,1\n3,v,1\n", {.missing = data::MissingPolicy::drop_row});
  EXPECT_EQ(show(loaded), (Lines{"0: a~1 b=u~1", "1: a~3 b=v~1"}));
  EXPECT_EQ(loaded.summary.dropped_rows, 1u);
}

TEST(Csv, SharesTheIndicatorWithAWrittenValueMissing) {
  const Loaded loaded = load_csv("a,y\nmissing,0\n,1\nx,1\nx,0\n");
  EXPECT_EQ(show(loaded), (Lines{"0: a=missing~1", "1: a=x~1 a=(missing)~1", "1: a=x~1", "0: a=x~1"}));
  EXPECT_EQ(loaded.data.input.columns[0].indicator, "(missing)");
  Loaded twice = load_csv("a,y\nmissing,0\n,1\n(missing),1\nx,1\nx,0\n");
  EXPECT_EQ(show(twice)[1], "1: a=x~1 a=((missing))~1");
  EXPECT_EQ(
      show(apply_string(Format::csv, twice, "a,y\n,0\nmissing,1\n"), twice.data.features, twice.data.classes),
      (Lines{"0: a=x~1 a=((missing))~1", "1: a=missing~1"}));
}

TEST(Csv, LeavesOutTheFirstCategoryWhenAsked) {
  Loaded loaded = load_csv("a,y\nu,0\nv,1\nw,1\n", {.drop_first_category = true});
  EXPECT_EQ(feature_names(loaded), (Lines{"a=v", "a=w"}));
  ReadSummary summary;
  const data::Rows rows = apply_string(Format::csv, loaded, "a,y\nu,0\nw,1\n", {}, silent_log(), &summary);
  EXPECT_EQ(rows.x.num_nonzeros(), 1u);
  EXPECT_EQ(summary.unknown_features, 0u);
}

TEST(Csv, AnnouncesMixedConstantEmptyAndIdLikeColumns) {
  KeepingLog log;
  std::string text = "mixed,constant,empty,id,y\n";
  for (int i = 0; i < 12; ++i)
    text += (i == 7 ? "oops" : std::to_string(i % 3)) + ",5,,id" + std::to_string(i) + "," +
            std::to_string(i % 2) + "\n";
  load_csv(text, {}, log);
  EXPECT_TRUE(log.has("column \"mixed\" mixes numbers and text (line 9: \"oops\")"));
  EXPECT_TRUE(log.has("constant columns"));
  EXPECT_TRUE(log.has("column \"empty\" has no value in any row"));
  EXPECT_TRUE(log.has("column \"id\" has a different value in each"));
}

TEST(Csv, TellsTextFromCategories) {
  const Loaded loaded = load_csv("review,y\ngood film,1\nbad film,0\nso so,0\n");
  EXPECT_EQ(feature_names(loaded), (Lines{"review:good", "review:film", "review:bad", "review:so"}));
  EXPECT_EQ(show(loaded).back(), "0: review:so~2");
  const Loaded forced = load_csv("a,b,y\nx,1,1\nz,2,0\n", {.categorical = {"b"}, .text = {"a"}});
  EXPECT_EQ(feature_names(forced), (Lines{"a:x", "a:z", "b=1", "b=2"}));
}

TEST(Csv, DetectsOtherDelimiters) {
  KeepingLog log;
  EXPECT_EQ(show(load_csv("a;y\n1;u\n2;v\n", {}, log)), (Lines{"u: a~1", "v: a~2"}));
  EXPECT_TRUE(log.has("fields are separated by \";\""));
  EXPECT_EQ(show(load_csv("a|b|y\n1|2|u\n2|1|v\n")), (Lines{"u: a~1 b~2", "v: a~2 b~1"}));
}

TEST(Csv, LocatesWrongFieldCountsAndQuotes) {
  EXPECT_EQ(csv_error("a,b,y\n1,2,3\n1,2\n"), "t:3:1: error: found 2 fields, expected 3");
  EXPECT_EQ(csv_error("a,b,y\n1,2,3\n1,2,3,4\n"),
            "t:3:7: error: found 4 fields, expected 3; a field that holds comma is put in quotes");
  EXPECT_EQ(csv_error("a,y\nSmith, John,4\n"),
            "t:2:13: error: found 3 fields, expected 2; a field that holds comma is put in quotes");
  EXPECT_TRUE(
      starts_with(csv_error("a,y\n1,0\n\"x,1\n2,1\n"), "t:3:1: error: a quote is opened here and never"));
  EXPECT_TRUE(starts_with(csv_error("a,y\n\"1\"x,0\n"), "t:2:4: error: found text after a closing quote,"));
  EXPECT_TRUE(starts_with(csv_error("a,y\n1\"2,0\n"), "t:2:2: error: found a quote inside"));
  EXPECT_TRUE(
      starts_with(csv_error("a,y\n\"two\nlines\",0\n1,2,3\n"), "t:4:5: error: found 3 fields, expect"));
}

TEST(Csv, RefusesBadHeaders) {
  EXPECT_TRUE(starts_with(csv_error("a,,y\n1,2,3\n"), "t:1:3: error: column 2 has no name"));
  EXPECT_TRUE(
      starts_with(csv_error("a,b,a\n1,2,3\n"), "t:1:5: error: columns 1 and 3 have the same name \"a\""));
  EXPECT_TRUE(starts_with(csv_error("1,2,3\n4,5,6\n"), "t:1:1: error: every column name is a number, a"));
  EXPECT_TRUE(starts_with(csv_error("a,y\n1,0\na,y\n2,1\n"), "t:3:1: error: the header is repeated here,"));
  EXPECT_TRUE(starts_with(csv_error("a,y\n1,0\n\xEF\xBB\xBF"
                                    "a,y\n2,1\n"),
                          "t:3:1: error: the header is repeated here,"));
  EXPECT_TRUE(starts_with(csv_error("c,y\nu,0\n\xEF\xBB\xBF"
                                    "c,y\nv,1\n"),
                          "t:3:1: error: the header is repeated here,"));
  EXPECT_TRUE(starts_with(csv_error(""), "t: error: the input is empty,"));
  EXPECT_TRUE(starts_with(csv_error("a,y\n"), "t: error: no rows to learn from"));
  EXPECT_EQ(csv_error("income,age\n1,2\n", {.target = "incme"}),
            "t:1:1: error: no column is called \"incme\" (--target); the columns are \"income\", \"age\"; "
            "did you mean "
            "\"income\"?");
  EXPECT_TRUE(starts_with(csv_error("x\n1\n2\n"), "t:1:1: error: found a single column \"x\""));
}

TEST(Csv, RefusesNumbersThatAreNone) {
  EXPECT_TRUE(starts_with(csv_error("a;y\n1,5;u\n2,5;v\n"),
                          "t:2:1: error: column \"a\": \"1,5\" is not a number, expe"));
  EXPECT_TRUE(starts_with(csv_error("a,y\n1,u\ninf,v\n"),
                          "t:3:1: error: column \"a\": \"inf\" is not a number, expe"));
  EXPECT_TRUE(starts_with(csv_error("a,y\n1,u\n1e999,v\n"), "t:3:1: error: column \"a\": found \"1e999\","));
  for (const std::string cell : {"1_000", "-1'000.5", "0x1F", "0X1.8p3", " 1_000 "})
    EXPECT_TRUE(starts_with(csv_error("a,y\n1,u\n" + cell + ",v\n"),
                            "t:3:1: error: column \"a\": \"" + cell + "\" is not a number, expe"));
}

TEST(Csv, ReadsNamesThatLookLikeNumbersOfOtherLanguages) {
  EXPECT_EQ(feature_names(load_csv("a,y\n2020_01,u\n2020_02,v\n")), (Lines{"a=2020_01", "a=2020_02"}));
  EXPECT_EQ(feature_names(load_csv("a,y\n0x1F,u\n0x2A,v\n")), (Lines{"a=0x1F", "a=0x2A"}));
  for (const std::string cell : {"_1", "1_", "1__0", "1_0.x", "0x", "0xg", "x1", "'1", "1_000,5", "v1_0"}) {
    const Loaded loaded = load_csv("a,y\n1,u\n\"" + cell + "\",v\n", {.categorical = {}});
    EXPECT_EQ(loaded.data.features.size(), 2u) << cell;
  }
}

TEST(Csv, RefusesBadRoles) {
  EXPECT_TRUE(starts_with(csv_error("a,y\n1,\n"), "t:2:3: error: column \"y\": found \"\", expect"));
  EXPECT_TRUE(starts_with(csv_error("a,w,y\n1,-1,0\n", {.weight = "w"}),
                          "t:2:3: error: column \"w\": found \"-1\","));
  EXPECT_TRUE(starts_with(csv_error("a,w,y\n1,1.5,0\n", {.count = "w"}),
                          "t:2:3: error: column \"w\": found \"1.5\","));
  EXPECT_TRUE(
      starts_with(csv_error("a,w,y\n1,,0\n", {.offset = "w"}), "t:2:3: error: column \"w\": found \"\","));
  EXPECT_TRUE(starts_with(csv_error("a,y\n1,\x01\n"), "t:2:3: error: found "));
  EXPECT_TRUE(starts_with(csv_error("a,y\n1,\xff\n"), "t:2:3: error: found \""));
}

TEST(Csv, PassesRolesThrough) {
  const Loaded loaded = load_csv("id,w,n,o,a,y\nr1,0.5,2,1,3,u\nr2,1,0,-1,4,v\n",
                                 {.id = "id", .weight = "w", .offset = "o", .count = "n"});
  EXPECT_EQ(feature_names(loaded), Lines{"a"});
  EXPECT_EQ(loaded.data.ids, (Lines{"r1", "r2"}));
  EXPECT_EQ(loaded.data.weights[0], 1.0);
  EXPECT_EQ(loaded.data.weights[1], 0.0);
  EXPECT_EQ(loaded.data.offsets[1], -1.0);
}

TEST(Csv, SkipsBadRowsWhenAsked) {
  KeepingLog log;
  const Loaded loaded = load_csv("a,y\n1,u\n2\n\x01,v\n3,v\n", {.skip_bad_rows = true}, log);
  EXPECT_EQ(show(loaded), (Lines{"u: a~1", "v: a~3"}));
  EXPECT_EQ(loaded.summary.bad_rows, 2u);
}

TEST(Csv, MapsColumnsOfFurtherFilesByName) {
  std::vector<Input> inputs = in_memory("a,b,y\n1,2,u\n", "one");
  inputs.push_back(Input::from_memory("two", "y,b,a\nv,4,3\n"));
  const Loaded loaded = load_delimited(inputs, Format::csv, {}, silent_log(), {});
  EXPECT_EQ(show(loaded), (Lines{"u: a~1 b~2", "v: a~3 b~4"}));
  std::vector<Input> other = in_memory("a,y\n1,u\n", "one");
  other.push_back(Input::from_memory("two", "b,y\n1,u\n"));
  EXPECT_THROW(load_delimited(other, Format::csv, {}, silent_log(), {}), InputError);
}

TEST(Csv, ReadsTsvWithoutQuotesUnlessAsked) {
  EXPECT_EQ(show(table_reading::load_string(Format::tsv, "a\ty\n\"x\t1\nz\t0\n")),
            (Lines{"1: a=\"x~1", "0: a=z~1"}));
  EXPECT_EQ(show(table_reading::load_string(Format::tsv, "a\ty\n\"x\tq\"\t1\nz\t0\n", {.quote = true})),
            (Lines{"1: a=x\tq~1", "0: a=z~1"}));
  EXPECT_EQ(show(load_csv("4,x\n5,z\n", {.header = false})), (Lines{"x: 1~4", "z: 1~5"}));
}

constexpr std::string_view varied_table =
    "age,job,note,y\n30,cook,\"good \"\"day\"\" sir\",a\n,smith,all is well,b\n2.5,,\"two\nlines here\",a\n"
    "7,cook,good good news,c\n1e3,baker,,b\n0,smith,the end now,c\n";

TEST(Csv, GivesTheSameMatrixForAnyBlocksAndThreads) {
  std::vector<Input> whole = in_memory(varied_table);
  const Lines expected = show(load_delimited(whole, Format::csv, {.ngrams = 2}, silent_log(), {}));
  for (const std::size_t threads : {1u, 2u, 5u})
    for (const std::size_t block : {1u, 20u, 64u, 100000u}) {
      const ThreadLimit limit(threads);
      std::vector<Input> inputs = in_memory(varied_table);
      EXPECT_EQ(show(load_delimited(inputs, Format::csv, {.ngrams = 2}, silent_log(), {}, block)), expected);
    }
}

TEST(Csv, AppliesWhatItLearned) {
  for (const bool tfidf : {false, true}) {
    const ReadOptions options{.ngrams = 2, .tfidf = tfidf};
    Loaded loaded = load_csv(varied_table, options);
    const data::Rows rows = apply_string(Format::csv, loaded, varied_table, options);
    EXPECT_EQ(show(rows, loaded.data.features, loaded.data.classes), show(loaded));
  }
}

TEST(Csv, AppliesHashedFeatures) {
  const ReadOptions options{.hash_bits = 4, .ngrams = 2, .tfidf = true};
  Loaded loaded = load_csv(varied_table, options);
  EXPECT_LE(loaded.data.x.num_features, 16u);
  EXPECT_EQ(loaded.data.features.size(), loaded.data.x.num_features);
  EXPECT_GT(*loaded.summary.shared_slots, 0u);
  const data::Rows rows = apply_string(Format::csv, loaded, varied_table, options);
  ASSERT_EQ(rows.x.num_nonzeros(), loaded.data.x.num_nonzeros());
  for (std::size_t k = 0; k < rows.x.num_nonzeros(); ++k) {
    EXPECT_EQ(rows.x.ids[k], loaded.data.x.ids[k]);
    EXPECT_DOUBLE_EQ(rows.x.value(k), loaded.data.x.value(k));
  }
}

TEST(Csv, SlotsThatNothingFallsIntoAreNoFeatures) {
  const ReadOptions options{.hash_bits = 30, .tfidf = true};
  Loaded loaded = load_csv("a,job,y\n1,cook,u\n,smith,v\n", options);
  EXPECT_EQ(loaded.data.x.num_features, 4u);
  EXPECT_EQ(loaded.data.idf.size(), 4u);
  ReadSummary summary;
  const data::Rows rows =
      apply_string(Format::csv, loaded, "a,job,y\n1,cook,u\n,pilot,v\n", options, silent_log(), &summary);
  EXPECT_EQ(rows.x.row_ids(0).size(), 2u);
  EXPECT_EQ(summary.unknown_features, 1u);
}

TEST(Csv, CountsWhatTheModelDoesNotKnow) {
  Loaded loaded = load_csv("a,job,y\n1,cook,u\n3,smith,v\n");
  KeepingLog log;
  ReadSummary summary;
  const data::Rows rows = apply_string(Format::csv, loaded, "extra,job,a\n9,pilot,\n9,cook,2\n",
                                       {.labels_required = false}, log, &summary);
  EXPECT_EQ(show(rows, loaded.data.features, loaded.data.classes), (Lines{"?: a~2", "?: a~2 job=cook~1"}));
  EXPECT_EQ(summary.unknown_features, 1u);
  EXPECT_TRUE(log.has("columns that the model does not use: \"extra\""));
  EXPECT_TRUE(log.has("column \"a\" has missing values, as training had not"));
}

TEST(Csv, CountsWhatTheModelDoesNotKnowOnceInRowsThatAreNotPlain) {
  Loaded loaded = load_csv("job,a,y\ncook,1,u\nsmith,3,v\n");
  ReadSummary summary;
  apply_string(Format::csv, loaded, "job,a,y\npilot,,u\npilot,2,u\ntailor,\"2\",v\n", {}, silent_log(),
               &summary);
  EXPECT_EQ(summary.unknown_features, 3u);
}

TEST(Csv, NamesWhatApplyingLacks) {
  Loaded loaded = load_csv("a,job,y\n1,cook,u\n3,smith,v\n");
  EXPECT_THROW(apply_string(Format::csv, loaded, "job,y\ncook,u\n"), InputError);
  EXPECT_THROW(apply_string(Format::csv, loaded, "a,job\n1,cook\n"), InputError);
  EXPECT_THROW(apply_string(Format::csv, loaded, "a,job,y\nx,cook,u\n"), InputError);
}

TEST(Csv, RefusesFeatureNamesThatCannotBeToldApart) {
  EXPECT_NE(csv_error("a,a=b,y\nb,x,0\nc,z,1\nb,x,1\n"), "none");
}

TEST(Csv, DropsRareFeatures) {
  const Loaded loaded = load_csv("a,b,y\nu,1,0\nv,0,1\nu,2,1\n", {.min_count = 2});
  EXPECT_EQ(feature_names(loaded), (Lines{"a=u", "b"}));
}

}  // namespace
}  // namespace lazylogit::io
