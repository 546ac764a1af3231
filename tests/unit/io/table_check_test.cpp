// Tables of very many columns are checked before rows are kept: what comes out is what it would be without.
#include "lazylogit/io/columns/table_check.hpp"

#include <gtest/gtest.h>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/formats/delimited.hpp"
#include "lazylogit/io/formats/jsonl.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;
using table_reading::error_of;
using table_reading::in_memory;
using table_reading::KeepingLog;
using table_reading::load_string;
using table_reading::show;
using Lines = std::vector<std::string>;

constexpr std::size_t wide = 70000;  // columns; those of a narrow table, and others that are 0 in every row

const std::string& zeros_of_csv() {
  static const std::string cells = [] {
    std::string text;
    for (std::size_t c = 0; c < wide; ++c) text += ",0";
    return text;
  }();
  return cells;
}

// Adds the other columns at the end of each line.
std::string widened_csv(const std::string& narrow) {
  std::string text, names;
  for (std::size_t c = 0; c < wide; ++c) names += ",k" + std::to_string(c);
  bool header = true;
  for (std::size_t from = 0; from < narrow.size();) {
    const std::size_t end = narrow.find('\n', from);
    text += narrow.substr(from, end - from) + (header ? names : zeros_of_csv()) + "\n";
    header = false;
    from = end + 1;
  }
  return text;
}

std::string widened_jsonl(const std::string& narrow) {
  std::string text, others;
  for (std::size_t c = 0; c < wide; ++c) others += ",\"k" + std::to_string(c) + "\":0";
  for (std::size_t from = 0; from < narrow.size();) {
    const std::size_t end = narrow.find('\n', from);
    text += narrow.substr(from, end - from - 1) + others + "}\n";
    from = end + 1;
  }
  return text;
}

// What is said, but for the constant columns.
Lines said(const KeepingLog& log) {
  Lines lines;
  for (const std::string& sentence : log.said)
    if (sentence.find("constant columns") == std::string::npos) lines.push_back(sentence);
  return lines;
}

constexpr const char* small_table =
    "name,late,job,age,note,w,y\n"
    "1,1,cook,3,a fine day,1,u\n"
    "2,2,smith,,it rains again,2,v\n"
    "3,x,cook,4.5,no more of it,1,u\n"
    "4,,baker,1e3,what a night,0.5,w\n";

TEST(TableCheck, LeavesCsvAsItWouldBe) {
  const ReadOptions options = {
      .target = "y", .id = "name", .weight = "w", .categorical = {"job"}, .ngrams = 2};
  KeepingLog log, wide_log;
  const Loaded expected = load_string(Format::csv, small_table, options, log);
  const std::string text = widened_csv(small_table);
  for (const std::size_t threads : {1u, 2u})
    for (const std::size_t block : {1u, 1u << 20}) {
      const ThreadLimit limit(threads);
      std::vector<Input> inputs = in_memory(text);
      wide_log.said.clear();
      const Loaded found = load_delimited(inputs, Format::csv, options, wide_log, {}, block);
      EXPECT_EQ(show(found), show(expected));
      EXPECT_EQ(found.data.ids, expected.data.ids);
      EXPECT_EQ(said(wide_log), said(log));
      for (std::size_t c = 0; c < expected.data.input.columns.size(); ++c)
        EXPECT_EQ(found.data.input.columns[c].type, expected.data.input.columns[c].type);
    }
}

constexpr const char* lines =
    "{\"a\":1,\"b\":\"x\",\"o\":1,\"y\":\"u\"}\n"
    "{\"a\":\"q\",\"b\":\"z\",\"o\":2,\"late\":{\"i\":1,\"j\":2},\"y\":\"v\"}\n"
    "{\"a\":3,\"b\":null,\"o\":3,\"new\":5,\"late\":{\"j\":-1},\"y\":\"u\"}\n";

TEST(TableCheck, LeavesJsonLinesAsTheyWouldBe) {
  KeepingLog log, wide_log;
  const Loaded expected = load_string(Format::jsonl, lines, {.target = "y"}, log);
  const std::string text = widened_jsonl(lines);
  for (const std::size_t block : {1u, 1u << 20}) {
    std::vector<Input> inputs = in_memory(text);
    wide_log.said.clear();
    const Loaded found = load_json_lines(inputs, {.target = "y"}, wide_log, {}, block);
    Lines rows = show(found), expected_rows = show(expected);
    ASSERT_EQ(rows.size(), expected_rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) EXPECT_EQ(rows[r].size(), expected_rows[r].size());
    EXPECT_EQ(said(wide_log), said(log));
  }
}

TEST(TableCheck, RefusesWhatItWouldRefuse) {
  const std::string good = "a,b,y\n1,x,u\n2,y,v\n";
  for (const char* const bad : {"1e999,x,u\n", "3,x,\n"}) {
    const std::string narrow = good + bad;
    EXPECT_EQ(error_of(Format::csv, widened_csv(narrow), {.target = "y"}),
              error_of(Format::csv, narrow, {.target = "y"}));
  }
  EXPECT_EQ(error_of(Format::csv, widened_csv("a,y\n1,u\n,v\n"),
                     {.target = "y", .missing = data::MissingPolicy::error}),
            error_of(Format::csv, "a,y\n1,u\n,v\n", {.target = "y", .missing = data::MissingPolicy::error}));
  ReadOptions few_classes = {.target = "y"};
  few_classes.limits.max_classes = 1;
  EXPECT_EQ(error_of(Format::csv, widened_csv(good), few_classes), error_of(Format::csv, good, few_classes));
  // A decimal comma is found when the values of a column are known.
  EXPECT_EQ(error_of(Format::csv, widened_csv("a,b,y\n1,x,u\n\"2,5\",y,v\n"), {.target = "y"}),
            error_of(Format::csv, "a,b,y\n1,x,u\n\"2,5\",y,v\n", {.target = "y"}));
  const std::string mixed = "{\"a\":1,\"y\":0}\n{\"a\":{\"b\":1},\"y\":1}\n";
  EXPECT_EQ(error_of(Format::jsonl, widened_jsonl(mixed), {.target = "y"}),
            error_of(Format::jsonl, mixed, {.target = "y"}));
}

TEST(TableCheck, SkippedRowsAreSaidOnce) {
  const std::string narrow = "a,b,y\n1,x,u\n1e999,x,u\n2,y,v\n";
  const ReadOptions options = {.target = "y", .skip_bad_rows = true};
  KeepingLog log, wide_log;
  const Loaded expected = load_string(Format::csv, narrow, options, log);
  const Loaded found = load_string(Format::csv, widened_csv(narrow), options, wide_log);
  EXPECT_EQ(show(found), show(expected));
  EXPECT_EQ(found.summary.bad_rows, 1U);
  EXPECT_EQ(said(wide_log), said(log));
}

TEST(TableCheck, TakesNumbersForWhatTheyAreUntilSomethingElseIsSeen) {
  TablePlan plan;
  for (const char* const name : {"number", "name", "object", "both", "given"}) plan.names.intern(name);
  plan.columns.resize(5);
  plan.columns[4].type_is_given = true;
  CheckedTable checked{TableFacts(5), {}};
  checked.facts[0].add_number(1);
  checked.facts[1].has_other = 1;
  checked.facts[2].has_nested = 1;
  checked.facts[3].add_number(1);
  checked.facts[3].has_nested = 1;
  checked.facts[4].has_other = 1;
  assume_types(checked, plan);
  EXPECT_EQ(plan.columns[0].type, ColumnType::numeric);
  EXPECT_EQ(plan.columns[1].type, ColumnType::categorical);
  EXPECT_EQ(plan.columns[2].type, ColumnType::sparse);
  EXPECT_EQ(plan.columns[3].type, ColumnType::numeric);  // the next pass refuses it, with its place
  EXPECT_EQ(plan.columns[4].type, ColumnType::numeric);
  EXPECT_EQ(plan.num_categorical, 1U);
  EXPECT_EQ(plan.num_nested, 1U);
}

}  // namespace
}  // namespace lazylogit::io
