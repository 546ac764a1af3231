#include "lazylogit/io/formats/text.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::apply_string;
using table_reading::feature_names;
using table_reading::in_memory;
using table_reading::KeepingLog;
using table_reading::show;
using Lines = std::vector<std::string>;

Loaded load_documents_of(std::string_view text, const ReadOptions& options = {}, Log& log = silent_log()) {
  return table_reading::load_string(Format::text, text, options, log);
}

TEST(Text, CountsNgramsByFirstAppearance) {
  const Loaded loaded =
      load_documents_of("pos\tGood good day\nneg\tbad\tday\npos\t\n", {.ngrams = 2, .lowercase = true});
  EXPECT_EQ(feature_names(loaded), (Lines{"good", "good good", "good day", "day", "bad", "bad day"}));
  EXPECT_EQ(show(loaded),
            (Lines{"pos: good~2 good good~1 good day~1 day~1", "neg: day~1 bad~1 bad day~1", "pos:"}));
}

TEST(Text, SkipsTheHeaderWithANotice) {
  KeepingLog log;
  EXPECT_EQ(show(load_documents_of("Label\tTEXT\r\na\tx\r\nb\ty\r\n", {}, log)), (Lines{"a: x~1", "b: y~1"}));
  EXPECT_TRUE(log.has("header label<TAB>text"));
  EXPECT_EQ(show(table_reading::load_string(Format::tsv, "label\ttext\na\tx y\nb\ty\n")),
            (Lines{"a: x~1 y~1", "b: y~1"}));
}

TEST(Text, LocatesBadLines) {
  EXPECT_EQ(table_reading::error_of(Format::text, "a\tx\nno tab\n"),
            "t:2:1: error: no tab in the line \"no tab\", expected a label, a tab and the text; --format "
            "names another format");
  EXPECT_EQ(table_reading::error_of(Format::text, "a\tx\n\n\tx\n"),
            "t:3:1: error: no label before the tab, expected a label, a tab and the text");
  EXPECT_NE(table_reading::error_of(Format::text, "a\tx\na\t\xc3\n").find("t:2:3: error: found"),
            std::string::npos);
  ReadOptions options;
  options.limits.max_name_bytes = 4;
  EXPECT_NE(table_reading::error_of(Format::text, "a\tabcde\n", options).find("--max-name-bytes"),
            std::string::npos);
}

TEST(Text, ScalesByTfidf) {
  const Loaded loaded =
      load_documents_of("a\tx x y\nb\ty\n", {.tfidf = true, .precision = Precision::float64});
  const double rare = std::log(3.0 / 2.0) + 1, common = std::log(3.0 / 3.0) + 1;
  const double length = std::hypot(2 * rare, common);
  EXPECT_DOUBLE_EQ(loaded.data.x.value(0), 2 * rare / length);
  EXPECT_DOUBLE_EQ(loaded.data.x.value(1), common / length);
  EXPECT_DOUBLE_EQ(loaded.data.x.value(2), 1.0);
}

TEST(Text, GivesTheSameMatrixForAnyBlocksAndThreads) {
  const std::string_view text = "a\tone two two\nb\ttwo three\na\tthree one four\nc\tfive\n";
  std::vector<Input> whole = in_memory(text);
  const Lines expected = show(load_documents(whole, {.ngrams = 2}, silent_log(), {}));
  for (const std::size_t threads : {1u, 2u, 5u})
    for (const std::size_t block : {1u, 20u, 100000u}) {
      const ThreadLimit limit(threads);
      std::vector<Input> inputs = in_memory(text);
      EXPECT_EQ(show(load_documents(inputs, {.ngrams = 2}, silent_log(), {}, block)), expected);
    }
}

// As a column of a table, with other names.
TEST(Text, IsTheSameWithinATable) {
  const std::string_view text = "y\tt\na\tone two two\nb\t\na\ttwo three one two\nb\tfive\n";
  const Loaded loaded =
      table_reading::load_string(Format::tsv, text, {.target = "y", .text = {"t"}, .ngrams = 2});
  EXPECT_EQ(feature_names(loaded), (Lines{"t:one", "t:one two", "t:two", "t:two two", "t:two three",
                                          "t:three", "t:three one", "t:five", "t=missing"}));
  EXPECT_EQ(show(loaded),
            (Lines{"a: t:one~1 t:one two~1 t:two~2 t:two two~1", "b: t=missing~1",
                   "a: t:one~1 t:one two~1 t:two~2 t:two three~1 t:three~1 t:three one~1", "b: t:five~1"}));
}

TEST(Text, AppliesWhatItLearned) {
  const std::string_view text = "a\tone two two\nb\ttwo three\n";
  for (const bool tfidf : {false, true}) {
    const ReadOptions options{.ngrams = 2, .tfidf = tfidf};
    Loaded loaded = load_documents_of(text, options);
    EXPECT_EQ(
        show(apply_string(Format::text, loaded, text, options), loaded.data.features, loaded.data.classes),
        show(loaded));
  }
  Loaded loaded = load_documents_of(text);
  ReadSummary summary;
  const data::Rows rows = apply_string(Format::text, loaded, "one unknown\n\n", {.labels_required = false},
                                       silent_log(), &summary);
  EXPECT_EQ(show(rows, loaded.data.features, loaded.data.classes), (Lines{"?: one~1", "?:"}));
  EXPECT_EQ(summary.unknown_features, 1u);
}

}  // namespace
}  // namespace lazylogit::io
