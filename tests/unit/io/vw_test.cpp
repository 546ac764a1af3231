#include "lazylogit/io/formats/vw.hpp"

#include <gtest/gtest.h>

#include "support/load_bytes.hpp"

namespace lazylogit::io {
namespace {

std::string vw_rows(std::string_view text, const ReadOptions& options = {}) {
  return test::describe(test::load_bytes(Format::vw, text, options).data);
}

std::string vw_error(std::string_view text, const ReadOptions& options = {}) {
  return test::load_error(Format::vw, text, options);
}

TEST(Vw, ReadsNamespacesScalesAndValues) {
  EXPECT_EQ(vw_rows("1 |a x:2 y |b:0.5 x:4 z | plain:3\n-1 | x\n"),
            "1|a^x:2 a^y:1 b^x:2 b^z:0.5 plain:3;-1|x:1;");
}

TEST(Vw, ABarStartsANamespaceWithoutABlank) { EXPECT_EQ(vw_rows("1 |a x|b y\n0 |\n"), "1|a^x:1 b^y:1;0|;"); }

TEST(Vw, ReadsImportanceBaseAndTag) {
  const ReadOptions options = test::options_with([](auto& o) { o.id = "tag"; });
  const data::Dataset d =
      test::load_bytes(Format::vw, "1 2.5 0.25 'first|a x\n-1 second|a y\n-1 0 'third |a y\n1 | \n", options)
          .data;
  EXPECT_EQ(std::vector<double>(d.weights.begin(), d.weights.end()), (std::vector<double>{2.5, 1, 0, 1}));
  EXPECT_EQ(std::vector<double>(d.offsets.begin(), d.offsets.end()), (std::vector<double>{0.25, 0, 0, 0}));
  EXPECT_EQ(d.ids, (std::vector<std::string>{"first", "second", "third", ""}));
}

TEST(Vw, WithoutImportanceThereAreNoWeights) {
  const data::Dataset d = test::load_bytes(Format::vw, "1 |a x\n-1 |a y\n").data;
  EXPECT_TRUE(d.weights.empty());
  EXPECT_TRUE(d.offsets.empty());
  EXPECT_TRUE(d.ids.empty());
}

TEST(Vw, SumsRepeatedFeatures) {
  EXPECT_EQ(vw_rows("1 | a:2 b a:3\n-1 | b:1 b:-1 c\n"), "1|a:5 b:1;-1|c:1;");
}

TEST(Vw, SkipsBlankLinesAndTakesCrLfAndNoFinalLineEnd) {
  EXPECT_EQ(vw_rows("1 | a\r\n\r\n  \n-1 | b"), "1|a:1;-1|b:1;");
}

TEST(Vw, TakesNamesAndNumbersAsLabels) { EXPECT_EQ(vw_rows("spam | a\nham | b\n"), "spam|a:1;ham|b:1;"); }

TEST(Vw, LabelMayBeAbsentWhenNotRequired) {
  ReadOptions options;
  EXPECT_EQ(vw_error("1 | a\n| a\n"), "x:2:1: error: no label before the bar; expected a class and a blank");
  EXPECT_EQ(vw_error("tag| a\n"), "x:1:1: error: no label before the bar; expected a class and a blank");
  options.labels_required = false;
  EXPECT_EQ(vw_rows("| a\n'tag | b\n1 | c\n", options), "|a:1;|b:1;1|c:1;");
}

TEST(Vw, NamesThePlaceOfBadText) {
  EXPECT_EQ(
      vw_error("1 | a\n1 a b\n"),
      "x:2:1: error: no bar in the line \"1 a b\"; expected [label [importance [base]]] ['tag]| features");
  EXPECT_EQ(vw_error("1 | a:x\n"),
            "x:1:7: error: the value of a feature, \"x\" is not a number; expected a finite number");
  EXPECT_EQ(vw_error("1 | a:1:2\n"),
            "x:1:7: error: the value of a feature, \"1:2\" is not a number; expected a finite number");
  EXPECT_EQ(vw_error("1 | a:\n"), "x:1:6: error: a number is missing after the colon; expected name:value");
  EXPECT_EQ(vw_error("1 | :3\n"), "x:1:5: error: feature \":3\" has no name; expected name or name:value");
  EXPECT_EQ(vw_error("1 | a:nan\n"),
            "x:1:7: error: the value of a feature, \"nan\" is not a number; expected a finite number");
  EXPECT_EQ(vw_error("1 | a:inf\n"),
            "x:1:7: error: the value of a feature, \"inf\" is not a number; expected a finite number");
  EXPECT_EQ(vw_error("1 | a:0x10\n"),
            "x:1:7: error: the value of a feature, \"0x10\" is not a number; expected a finite number");
  EXPECT_EQ(vw_error("1 | a:1e999\n"),
            "x:1:7: error: the value of a feature, \"1e999\" is beyond the range of a double; expected a "
            "finite number");
  EXPECT_EQ(vw_error("1 |n:y a\n"),
            "x:1:6: error: the scale of a namespace, \"y\" is not a number; expected a finite number");
  EXPECT_EQ(vw_error("1 |n: a\n"), "x:1:5: error: a number is missing after the colon; expected name:value");
  EXPECT_EQ(vw_error("1 |:2 a\n"),
            "x:1:4: error: a colon follows the bar; expected the name of a namespace, or a blank");
  EXPECT_EQ(vw_error("1 |n:1e200 a:1e200\n").substr(0, 7), "x:1:12:");
  EXPECT_EQ(vw_error("1 -2 | a\n"), "x:1:3: error: importance \"-2\" is negative; expected a number >= 0");
  EXPECT_EQ(vw_error("1 nan | a\n"),
            "x:1:3: error: importance \"nan\" is not a number; expected a finite number >= 0");
  EXPECT_EQ(vw_error("1 1 x | a\n"), "x:1:5: error: base \"x\" is not a number; expected a finite number");
  EXPECT_EQ(vw_error("1 1 0 9 | a\n").substr(0, 28), "x:1:7: error: unexpected \"9\"");
  EXPECT_EQ(vw_error("1 'a 2 | a\n"),
            "x:1:3: error: tag \"'a\" is not the last thing before the bar; expected [label [importance "
            "[base]]] ['tag]|");
  EXPECT_EQ(vw_error("nan | a\n"),
            "x:1:1: error: label \"nan\" is not finite; expected a name or a finite number");
  EXPECT_EQ(vw_error(std::string_view("1 | a\0b\n", 8)).substr(0, 6), "x:1:6:");
}

TEST(Vw, RefusesOtherLabelTypesByName) {
  const auto mentions = [](std::string_view text, std::string_view words) {
    return vw_error(text).find(words) != std::string::npos;
  };
  EXPECT_TRUE(mentions("1:0.5:0.3 | a\n", "contextual bandit"));
  EXPECT_TRUE(mentions("1:0 2:1 | a\n", "cost-sensitive"));
  EXPECT_TRUE(mentions("shared |u a\n", "contextual bandit"));
  EXPECT_TRUE(mentions("ccb shared |u a\n", "conditional contextual bandit"));
  EXPECT_TRUE(mentions("slates shared 0 |u a\n", "slates"));
  EXPECT_TRUE(mentions("ca 1.2:0.5:0.4 |u a\n", "continuous action"));
  EXPECT_TRUE(mentions("1,2,3 |u a\n", "multilabel"));
}

TEST(Vw, FloatRangeIsChecked) {
  EXPECT_NE(vw_error("1 | a:1e300\n").find("--precision float64"), std::string::npos);
  EXPECT_EQ(vw_error("1 | a:3e38 a:3e38\n0 | b\n").substr(0, 6), "x:1:1:");
  EXPECT_EQ(
      vw_rows("1 | a:1e300\n0 | a\n", test::options_with([](auto& o) { o.precision = Precision::float64; })),
      "1|a:1.0000000000000001e+300;0|a:1;");
}

TEST(Vw, SkipsBadRowsOnRequest) {
  const Loaded loaded = test::load_bytes(Format::vw, "1 2 | a\nbad\n0 | b:x\n0 | c\n",
                                         test::options_with([](auto& o) { o.skip_bad_rows = true; }));
  EXPECT_EQ(test::describe(loaded.data), "1|a:1;0|c:1;");
  EXPECT_EQ(loaded.summary.bad_rows, 2u);
  EXPECT_EQ(loaded.data.weights.size(), 2u);
}

TEST(Vw, BaseNeedsTwoClasses) {
  EXPECT_NE(vw_error("1 1 0.5 | a\n2 | a\n3 | a\n").find("needs two classes"), std::string::npos);
}

TEST(Vw, OtherIdsAreRefused) {
  EXPECT_NE(vw_error("1 | a\n", test::options_with([](auto& o) { o.id = "name"; })).find("--id tag"),
            std::string::npos);
}

TEST(Vw, SniffKnowsItsOwn) {
  const auto sniff = vw_format().sniff;
  EXPECT_GE(sniff("1 |a b c\n-1 |a d\n"), 80);
  EXPECT_GE(sniff("| a b c\n| d\n"), 80);
  EXPECT_EQ(sniff("1 1:2 3:4\n"), 0);
  EXPECT_LT(sniff("id|name|age\n1|x|3\n"), 50);
}

TEST(Vw, NamesOfAModelAreFoundAgain) {
  Loaded loaded = test::load_bytes(Format::vw, "1 |a x y\n0 |a z\n");
  loaded.data.features.build_index();
  const FixedNames names{&loaded.data.input, &loaded.data.features, &loaded.data.idf, &loaded.data.classes,
                         3};
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("y", "|a z:2 unknown x\n2 |b x\n"));
  const ReadOptions options = test::options_with([](auto& o) { o.labels_required = false; });
  const auto source = vw_format().open(std::move(inputs), names, options, silent_log(), {});
  data::Rows rows;
  ASSERT_TRUE(source->next(rows));
  EXPECT_EQ(rows.num_rows(), 2u);
  EXPECT_EQ(rows.x.num_nonzeros(), 2u);
  EXPECT_EQ(rows.x.value(1), 2.0);
  EXPECT_FALSE(source->next(rows));
  EXPECT_EQ(source->summary().unknown_features, 2u);
  EXPECT_EQ(source->summary().unknown_labels, 1u);
}

}  // namespace
}  // namespace lazylogit::io
