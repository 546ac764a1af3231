// Errors about --max-row-features point at what was too much.
#include <gtest/gtest.h>

#include "support/table_reading.hpp"

namespace lazylogit::io {
namespace {

using table_reading::apply_string;
using table_reading::error_of;
using table_reading::load_string;
using table_reading::starts_with;

const ReadOptions two_features{.limits = {.max_row_features = 2}};

TEST(RowLimit, ErrorsPointAtTheFirstFeatureTooMany) {
  EXPECT_TRUE(
      starts_with(error_of(Format::libsvm, "1 1:1 2:1\n1 1:1 2:1 33:1 4:1\n", two_features), "t:2:11: "));
  EXPECT_TRUE(starts_with(error_of(Format::libsvm, "1 qid:1 1:1  2:1 33:1\n", two_features), "t:1:18: "));
  EXPECT_TRUE(starts_with(error_of(Format::vw, "1 | a b\n1 | a b:0 |n c dd\n", two_features), "t:2:16: "));
  EXPECT_TRUE(
      starts_with(error_of(Format::csv, "p,q,r,s,y\n1,2,0,0,a\n1,0,2,3,b\n", two_features), "t:3:7: "));
  EXPECT_TRUE(starts_with(error_of(Format::csv, "p,q,r,y\nu,v,w,a\n\"u\",v,w,b\n", two_features), "t:2:5: "));
  EXPECT_TRUE(starts_with(
      error_of(Format::jsonl, "{\"p\":1,\"q\":0,\"r\":2,\"s\":3,\"y\":1}\n", two_features), "t:1:24: "));
}

TEST(RowLimit, SoInRowsOfAModelsColumns) {
  const auto error_with = [](Format format, std::string_view training, std::string_view rows) -> std::string {
    Loaded loaded = load_string(format, training);
    try {
      apply_string(format, loaded, rows, two_features);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_TRUE(
      starts_with(error_with(Format::csv, "p,q,r,y\n1,2,3,a\n1,2,4,b\n", "p,q,r,y\n1,2,3,a\n"), "t:2:5: "));
  EXPECT_TRUE(starts_with(
      error_with(Format::jsonl, "{\"p\":1,\"q\":1,\"r\":2,\"y\":1}\n{\"p\":1,\"q\":1,\"r\":2,\"y\":2}\n",
                 "{\"p\":1,\"q\":1,\"r\":2,\"y\":1}\n"),
      "t:1:18: "));
  EXPECT_TRUE(starts_with(error_with(Format::vw, "1 | a b c\n2 | a b c\n", "1 | a x b c\n"), "t:1:11: "));
  EXPECT_TRUE(
      starts_with(error_with(Format::libsvm, "1 1:1 2:1 3:1\n2 1:1\n", "1 1:1 2:1 3:1\n"), "t:1:11: "));
}

}  // namespace
}  // namespace lazylogit::io
