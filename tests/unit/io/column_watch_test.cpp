#include "lazylogit/io/columns/column_watch.hpp"

#include <gtest/gtest.h>

#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::apply_string;
using table_reading::KeepingLog;
using table_reading::load_string;

const ReadOptions unlabelled{.labels_required = false};

// What applying `rows` to a model of `training` says; an error is the last sentence.
KeepingLog said_of(std::string_view training, std::string_view rows, Format format = Format::jsonl) {
  Loaded loaded = load_string(Format::jsonl, training);
  KeepingLog log;
  try {
    apply_string(format, loaded, rows, unlabelled, log);
  } catch (const InputError& error) {
    log.said.emplace_back(error.what());
  }
  return log;
}

constexpr std::string_view plain = "{\"x\":1,\"z\":3,\"y\":\"a\"}\n{\"x\":2,\"z\":4,\"y\":\"b\"}\n";
constexpr std::string_view with_gaps =
    "{\"x\":1,\"z\":3,\"y\":\"a\"}\n{\"x\":2,\"y\":\"b\"}\n{\"z\":2,\"y\":\"b\"}\n";
constexpr std::string_view nested = "{\"w\":{\"p\":1},\"y\":\"a\"}\n{\"w\":{\"q\":1},\"y\":\"b\"}\n";

TEST(ColumnWatch, RowsWithOtherKeysThanTheModelsColumnsAreRefused) {
  const KeepingLog log = said_of(plain, "{\"X\":1,\"Z\":3,\"y\":\"a\"}\n{\"X\":2,\"Z\":4}\n");
  ASSERT_EQ(log.said.size(), 1u);
  EXPECT_EQ(log.said[0],
            "t: error: no row has a column of the model: found the keys \"X\", \"Z\", expected \"x\", \"z\"; "
            "is \"X\" "
            "meant to be \"x\"? null says that a value is missing");
  EXPECT_TRUE(said_of(with_gaps, "{\"X\":1}\n").has("t: error: no row has a column of the model"));
}

TEST(ColumnWatch, OneRowWithAColumnIsEnough) {
  const KeepingLog log = said_of(with_gaps, "{\"X\":1,\"Z\":3}\n{\"x\":2}\n{\"z\":1}\n");
  EXPECT_FALSE(log.has("error"));
  EXPECT_FALSE(log.has("warning"));
  EXPECT_TRUE(log.has("keys that the model does not use: \"X\", \"Z\"; 2 values left out"));
}

TEST(ColumnWatch, RowsThatSayNothingOrNullAreFine) {
  EXPECT_TRUE(said_of(with_gaps, "{}\n").said.empty());
  EXPECT_FALSE(said_of(with_gaps, "{\"x\":null,\"other\":1}\n").has("error"));
  EXPECT_TRUE(
      said_of(plain, "{}\n").has("t: warning: no row has a value for \"x\", \"z\", columns of the model"));
}

TEST(ColumnWatch, AColumnThatIsInNoRowIsAWarning) {
  const KeepingLog log = said_of(plain, "{\"x\":1,\"Z\":3}\n{\"x\":2,\"Z\":4}\n");
  EXPECT_TRUE(log.has(
      "t: warning: no row has a value for \"z\", a column of the model; the mean of the training data stands "
      "for it; is \"Z\" meant to be \"z\"?"));
  EXPECT_TRUE(said_of(with_gaps, "{\"x\":1,\"Z\":3}\n").has("warning: no row has a value for \"z\""));
  EXPECT_TRUE(said_of(with_gaps, "{\"x\":1}\n").said.empty());  // as in training
}

TEST(ColumnWatch, ACellThatIsEmptyInEveryRowIsAWarningAndInSomeANotice) {
  EXPECT_TRUE(said_of(plain, "x,z\n1,\n2,\n", Format::csv).has("warning: no row has a value for \"z\""));
  const KeepingLog some = said_of(plain, "x,z\n1,\n2,3\n", Format::csv);
  EXPECT_FALSE(some.has("warning"));
  EXPECT_TRUE(some.has("column \"z\" has missing values, as training had not"));
  EXPECT_TRUE(said_of(with_gaps, "x,z\n1,\n2,\n", Format::csv).said.empty());
}

TEST(ColumnWatch, NestedKeysThatAreAbsentAreZeroUnlessOthersAreThere) {
  EXPECT_FALSE(said_of(nested, "{\"id\":7}\n").has("error"));
  EXPECT_FALSE(said_of(nested, "{\"id\":7}\n").has("warning"));
  EXPECT_TRUE(
      said_of(nested, "{\"W\":{\"p\":1}}\n")
          .has("warning: no row has a value for \"w\", a column of the model; zero stands for it; is \"W\" "
               "meant to be \"w\"?"));
}

TEST(ColumnWatch, EachFileIsLookedAtAlone) {
  Loaded loaded = load_string(Format::jsonl, plain);
  loaded.data.features.build_index();
  const FixedNames names{&loaded.data.input, &loaded.data.features, &loaded.data.idf, &loaded.data.classes,
                         loaded.data.x.num_features};
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("good", plain));
  inputs.push_back(Input::from_memory("other", "{\"X\":1,\"Z\":3}\n"));
  const auto source = find_format(Format::jsonl).open(std::move(inputs), names, unlabelled, silent_log(), {});
  data::Rows rows;
  try {
    while (source->next(rows)) {
    }
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.detail().file, "other");
  }
}

TEST(ColumnWatch, VeryManyUnknownKeysAreCountedAndAFewNamed) {
  std::string row = "{\"x\":1,\"z\":1";
  for (int i = 0; i < 1000; ++i) row += ",\"k" + std::to_string(i) + "\":1";
  row += "}\n";
  const KeepingLog log = said_of(plain, row + row);
  ASSERT_EQ(log.said.size(), 1u);
  EXPECT_EQ(
      log.said[0],
      "keys that the model does not use: \"k0\", \"k1\", \"k2\", \"k3\", \"k4\", \"k5\", \"k6\", \"k7\" and "
      "others; 2000 values left out");
}

}  // namespace
}  // namespace lazylogit::io
