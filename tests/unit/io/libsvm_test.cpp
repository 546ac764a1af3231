#include "lazylogit/io/formats/libsvm.hpp"

#include <gtest/gtest.h>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"

namespace lazylogit::io {
namespace {

Loaded load_string(std::string_view text, const ReadOptions& options = {}, Log& log = silent_log()) {
  std::vector<Input> inputs;
  inputs.push_back(Input::from_memory("x.svm", text));
  return libsvm_format().load(inputs, options, log, {});
}

std::string error_of(std::string_view text, const ReadOptions& options = {}) {
  try {
    load_string(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(Libsvm, ReadsRowsLabelsAndNames) {
  const Loaded loaded = load_string("+1 1:0.5 3:2\n-1 2:1e1 # note\n\n# only a comment\n1.0\t7:-3.25\n");
  const data::Dataset& d = loaded.data;
  ASSERT_EQ(d.num_rows(), 3u);
  EXPECT_EQ(d.classes.labels(), (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(std::vector<ClassId>(d.labels.begin(), d.labels.end()), (std::vector<ClassId>{1, 0, 1}));
  ASSERT_EQ(d.x.num_features, 4u);
  EXPECT_EQ(d.features.name(0), "1");
  EXPECT_EQ(d.features.name(3), "7");
  EXPECT_EQ(d.x.value(0), 0.5);
  EXPECT_EQ(d.x.value(2), 10.0);
  EXPECT_EQ(d.x.value(3), -3.25);
  EXPECT_EQ(d.x.row_ids(2)[0], 3u);
}

TEST(Libsvm, NamesThePlaceOfBadPairs) {
  EXPECT_EQ(error_of("1 1:1\n1 2\n"), "x.svm:2:3: error: found \"2\", expected index:value");
  EXPECT_EQ(error_of("1 1:1 2:\n"), "x.svm:1:7: error: the value is missing in \"2:\", expected index:value");
  EXPECT_EQ(error_of("1 0:1\n"),
            "x.svm:1:3: error: found the index \"0\", expected an integer from 1 to 4294967295; if indices "
            "start at 0, "
            "use --index-base 0");
}

}  // namespace
}  // namespace lazylogit::io
