#include "lazylogit/io/formats/jsonl.hpp"

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

Loaded load_jsonl(std::string_view text, const ReadOptions& options = {}, Log& log = silent_log()) {
  return table_reading::load_string(Format::jsonl, text, options, log);
}
std::string jsonl_error(std::string_view text, const ReadOptions& options = {}) {
  return table_reading::error_of(Format::jsonl, text, options);
}

TEST(Jsonl, MakesFeaturesOfPlainAndNestedValues) {
  const Loaded loaded = load_jsonl(
      "{\"age\": 3, \"job\": \"c\\u00f6ok\", \"ok\": true, \"x\": {\"p\": 1.5, \"q\": 0}, \"v\": [1, 0, 2], "
      "\"label\": 1}\n"
      "\n"
      "{\"label\": 0, \"job\": \"smith\", \"age\": 4, \"ok\": false, \"x\": {\"r\": 2}}\n");
  EXPECT_EQ(feature_names(loaded), (Lines{"age", "job=cöok", "job=smith", "ok=false", "ok=true", "x.p", "x.q",
                                          "x.r", "v[0]", "v[1]", "v[2]"}));
  EXPECT_EQ(show(loaded), (Lines{"1: age~3 job=cöok~1 ok=true~1 x.p~1.5 v[0]~1 v[2]~2",
                                 "0: age~4 job=smith~1 ok=false~1 x.r~2"}));
}

TEST(Jsonl, TakesNullAndAbsentKeysAsMissing) {
  const Loaded loaded = load_jsonl(
      "{\"a\":1,\"y\":0}\n{\"a\":null,\"y\":1}\n{\"y\":1,\"b\":\"u\"}\n{\"a\":3,\"b\":\"u\",\"y\":0}\n");
  EXPECT_EQ(show(loaded), (Lines{"0: a~1 b=u~1 b=missing~1", "1: a~2 a=missing~1 b=u~1 b=missing~1",
                                 "1: a~2 a=missing~1 b=u~1", "0: a~3 b=u~1"}));
  EXPECT_TRUE(
      starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"y\":1}\n", {.missing = data::MissingPolicy::error}),
                  "t:2:1: error: column \"a\": found \"\""));
}

TEST(Jsonl, ReadsMixedValuesAsCategories) {
  KeepingLog log;
  const Loaded loaded = load_jsonl("{\"a\":1.0,\"y\":0}\n{\"a\":\"x\",\"y\":1}\n", {}, log);
  EXPECT_EQ(feature_names(loaded), (Lines{"a=1.0", "a=x"}));
  EXPECT_TRUE(log.has("mixes numbers and text (line 2"));
  EXPECT_EQ(feature_names(load_jsonl("{\"z\":\"012\",\"y\":0}\n{\"z\":\"12\",\"y\":1}\n")),
            (Lines{"z=012", "z=12"}));
}

TEST(Jsonl, LocatesWhatIsNoJson) {
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":01,\"y\":0}\n"),
                          "t:2:6: error: column \"a\": found a number with a leading zero"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":1.,\"y\":0}\n"),
                          "t:2:6: error: column \"a\": found a malformed number"));
  EXPECT_TRUE(
      starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":+1,\"y\":0}\n"), "t:2:6: error: found \"+\""));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":nul,\"y\":0}\n"),
                          "t:2:6: error: column \"a\": found \"nul,"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":1,}\n"), "t:2:8: error: found a comma"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":1 \"y\":0}\n"),
                          "t:2:8: error: found \"\"\", expected a comma"));
  EXPECT_TRUE(
      starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{a:1}\n"), "t:2:2: error: found \"a\", expected a key"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\" 1}\n"), "t:2:6: error: expected a colon"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":\"x\n"), "t:2:6: error: "));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":\"\\x\",\"y\":0}\n"),
                          "t:2:7: error: column \"a\": found an unknown escape"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":\"\\ud800\",\"y\":0}\n"),
                          "t:2:7: error: column \"a\": found a lone surrogate"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":\"b\tc\",\"y\":0}\n"),
                          "t:2:8: error: column \"a\": found a control character"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":1e400,\"y\":0}\n"),
                          "t:2:6: error: column \"a\": found \"1e400\""));
  EXPECT_TRUE(
      starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"a\":\"\xff\",\"y\":0}\n"), "t:2:7: error: found"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}{\"a\":1,\"y\":0}\n"),
                          "t:1:14: error: found \"{\" after the end"));
}

TEST(Jsonl, RefusesOtherDocuments) {
  EXPECT_TRUE(starts_with(jsonl_error("[{\"a\":1}]\n"), "t:1:1: error: found an array"));
  EXPECT_TRUE(starts_with(jsonl_error("{\n  \"a\": 1\n}\n"), "t:1:2: error: the line ends inside an object"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n5\n"), "t:2:1: error: found \"5"));
  EXPECT_TRUE(starts_with(jsonl_error(""), "t: error: the input is empty"));
}

TEST(Jsonl, RefusesRepeatedKeysAfterUnescaping) {
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0,\"\\u0061\":2}\n"), "t:1:14: error: "));
  EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":0}\n{\"b\":1,\"b\":2,\"y\":0}\n"),
                          "t:2:8: error: the key \"b\" occurs twice"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"x\":{\"b\":1,\"b\":2},\"y\":0}\n"),
                          "t:1:13: error: column \"x\": the key \"b\" occurs twice"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"x\":{\"b\":1,\"b\":2},\"y\":0}\n", {.ignore = {"x"}}),
                          "t:1:13: error: column \"x\": the key \"b\""));
}

// Keys that stand where they stood in the row before are not taken apart again: what is wrong is wrong all the same.
TEST(Jsonl, LocatesFaultsAmongRowsThatAreAlike) {
  const std::string row = "{\"a\": 1, \"b\": 2.5, \"y\": \"u\"}\n", rows = row + row;
  for (const auto& [line, expected] : std::vector<std::pair<std::string, std::string>>{
           {"{\"a\": 1, \"b\": 2.5, \"y\": \"u\", \"b\": 3}", "t:3:30: error: the key \"b\" occurs twice"},
           {"{\"a\": 1, \"b\": 2.5, \"y\": }", "t:3:25: error: found \"}\", expected a JSON value"},
           {"{\"a\": 01, \"b\": 2.5, \"y\": \"u\"}",
            "t:3:7: error: column \"a\": found a number with a leading zero"},
           {"{\"a\": 1., \"b\": 2.5, \"y\": \"u\"}", "t:3:7: error: column \"a\": found a malformed number"},
           {"{\"a\": 1 \"b\": 2.5, \"y\": \"u\"}", "t:3:9: error: found \"\"\", expected a comma or }"},
           {"{\"a\": 1, \"b\": 2.5, \"y\": \"u\",}", "t:3:29: error: found a comma before the end"},
           {"{\"a\": 1, \"b\": 2.5, ", "t:3:20: error: the line ends inside an object"},
           {"{\"a\": 1, \"b\": 1x, \"y\": \"u\"}", "t:3:16: error: found \"x\", expected a comma or }"}})
    EXPECT_TRUE(starts_with(jsonl_error(rows + line + "\n" + row), expected)) << line;
}

TEST(Jsonl, ReadsRowsWhateverTheOrderAndBlanksOfKeys) {
  std::string usual, other;
  for (int i = 0; i < 400; ++i) {
    const std::string a = "\"a\"", b = "\"b\"", y = "\"y\"";
    const std::string va = std::to_string(i) + ".5", vb = i % 4 == 0 ? "\"p\"" : "\"q\\u0041\"",
                      vy = i % 3 == 0 ? "1" : "2";
    usual += "{" + a + ":" + va + "," + b + ":" + vb + "," + y + ":" + vy + "}\n";
    const std::string gap(static_cast<std::size_t>(i % 3), ' ');
    other += i % 5 == 0
                 ? "{" + y + ":" + gap + vy + "," + gap + a + ":" + va + gap + ", \"\\u0062\" :" + vb + "}\n"
                 : "{" + a + ": " + va + "," + b + ":" + gap + vb + gap + "," + y + ":" + vy + " }\n";
  }
  const Lines expected = show(load_jsonl(usual));
  other = "{\"a\":0.25,\"b\":\"p\",\"y\":1}\n" + other;  // columns in the same order
  for (const std::size_t threads : {1u, 2u, 5u})
    for (const std::size_t block : {50u, 1000u, 1u << 20}) {
      const ThreadLimit limit(threads);
      std::vector<Input> inputs = in_memory(other);
      Lines rows = show(load_json_lines(inputs, {}, silent_log(), {}, block));
      rows.erase(rows.begin());
      EXPECT_EQ(rows, expected);
    }
}

TEST(Jsonl, LimitsNestingEverywhere) {
  const std::string deep = std::string(100000, '[') + std::string(100000, ']');
  EXPECT_TRUE(starts_with(jsonl_error("{\"y\":0,\"a\":1,\"z\":" + deep + "}\n", {.ignore = {"z"}}),
                          "t:1:81: error: values are nested"));
  const std::string fine = std::string(63, '[') + std::string(63, ']');
  EXPECT_EQ(
      jsonl_error("{\"y\":0,\"a\":1,\"z\":" + fine + "}\n{\"y\":1,\"a\":2,\"z\":[]}\n", {.ignore = {"z"}}),
      "none");
}

TEST(Jsonl, RefusesOtherNestedValues) {
  EXPECT_TRUE(starts_with(jsonl_error("{\"x\":{\"b\":\"s\"},\"y\":0}\n"),
                          "t:1:11: error: column \"x\": found a nested value"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"x\":[[1]],\"y\":0}\n"),
                          "t:1:7: error: column \"x\": found a nested value"));
  EXPECT_TRUE(starts_with(jsonl_error("{\"x\":1,\"y\":0}\n{\"x\":[1],\"y\":0}\n"), "t:"));
  EXPECT_TRUE(
      starts_with(jsonl_error("{\"x\":1,\"y\":0}\n{\"x\":2,\"y\":[]}\n"), "t:2:12: error: column \"y\""));
}

TEST(Jsonl, ReadsLargeIntegersAsNumbers) {
  const Loaded loaded = load_jsonl("{\"a\":123456789012345678901234567890,\"y\":0}\n{\"a\":-0,\"y\":1}\n");
  EXPECT_DOUBLE_EQ(loaded.data.x.value(0), 123456789012345678901234567890.0);
}

TEST(Jsonl, RefusesTablesThatAreAlmostAllAbsent) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "{\"k" + std::to_string(i) + "\":1,\"y\":" + std::to_string(i % 2) + "}\n";
  EXPECT_NE(jsonl_error(text).find("put sparse features into one nested object"), std::string::npos);
}

TEST(Jsonl, KeysOfRejectedLinesDoNotCount) {
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += "{\"a\":" + std::to_string(i) + ",\"y\":" + std::to_string(i % 2) + "}\n";
  const std::size_t middle = text.find('\n', 1000) + 1;
  std::string keys;
  for (int i = 0; i < 5000; ++i) keys += "\"k" + std::to_string(i) + "\":1,";
  // No JSON, no label, a label of another kind; among the lines that are looked at first, and far behind them.
  const std::string far(std::size_t{2} << 20, ' ');
  for (const std::string& line : {"{" + keys + "}", "{" + keys + "\"y\":null}", "{" + keys + "\"y\":[1]}"}) {
    for (const std::string& blanks : {std::string(), far}) {
      std::string with_line = text;
      with_line.insert(middle, blanks + line + "\n");
      const Loaded loaded = load_jsonl(with_line, {.skip_bad_rows = true});
      EXPECT_EQ(feature_names(loaded), Lines{"a"});
      EXPECT_EQ(loaded.summary.bad_rows, 1u);
      EXPECT_EQ(loaded.summary.rows, 2000u);
    }
  }
}

TEST(Jsonl, LabelsThatHoldNothingAreNone) {
  for (const std::string label : {"\"\"", "\" \"", "\"\\t\""})
    EXPECT_TRUE(starts_with(jsonl_error("{\"a\":1,\"y\":\"u\"}\n{\"a\":2,\"y\":" + label + "}\n"),
                            "t:2:12: error: column \"y\": found \""))
        << label;
}

constexpr std::string_view varied_lines =
    "{\"age\":30,\"job\":\"cook\",\"note\":\"good \\\"day\\\" sir\",\"x\":{\"b\":1},\"y\":\"a\"}\n"
    "{\"job\":\"smith\",\"note\":\"all is well\",\"x\":{\"a\":2,\"b\":-1},\"y\":\"b\"}\n"
    "{\"age\":2.5,\"job\":null,\"note\":\"two\\nlines here\",\"y\":\"a\"}\n"
    "{\"age\":1e3,\"late\":\"u\",\"job\":\"baker\",\"note\":null,\"x\":{},\"y\":\"c\"}\n";

TEST(Jsonl, GivesTheSameMatrixForAnyBlocksAndThreads) {
  std::vector<Input> whole = in_memory(varied_lines);
  const Lines expected = show(load_json_lines(whole, {.ngrams = 2}, silent_log(), {}));
  for (const std::size_t threads : {1u, 2u, 5u})
    for (const std::size_t block : {1u, 100u, 100000u}) {
      const ThreadLimit limit(threads);
      std::vector<Input> inputs = in_memory(varied_lines);
      EXPECT_EQ(show(load_json_lines(inputs, {.ngrams = 2}, silent_log(), {}, block)), expected);
    }
}

TEST(Jsonl, AppliesWhatItLearned) {
  for (const bool tfidf : {false, true}) {
    const ReadOptions options{.ngrams = 2, .tfidf = tfidf};
    Loaded loaded = load_jsonl(varied_lines, options);
    const data::Rows rows = apply_string(Format::jsonl, loaded, varied_lines, options);
    EXPECT_EQ(show(rows, loaded.data.features, loaded.data.classes), show(loaded));
  }
  Loaded loaded = load_jsonl("{\"a\":1,\"y\":0}\n{\"a\":2,\"y\":1}\n");
  EXPECT_EQ(apply_string(Format::jsonl, loaded, "{\"a\":5}\n", {.labels_required = false}).num_rows(), 1u);
  EXPECT_THROW(apply_string(Format::jsonl, loaded, "{\"a\":5}\n"), InputError);
  EXPECT_THROW(apply_string(Format::jsonl, loaded, "{\"a\":\"5\",\"y\":0}\n"), InputError);
}

}  // namespace
}  // namespace lazylogit::io
