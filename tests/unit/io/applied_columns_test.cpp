#include "lazylogit/io/columns/applied_columns.hpp"

#include <gtest/gtest.h>

namespace lazylogit::io {
namespace {

std::string refusal(const ReadOptions& options) {
  data::InputSpec input;
  input.kind = data::InputKind::columns;
  input.target = "y";
  input.weight = "w";
  input.columns = {{.name = "x"}, {.name = "z"}};
  try {
    applied_columns(input, options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

TEST(AppliedColumns, AColumnHasOneRole) {
  EXPECT_EQ(refusal({.offset = "x"}), "error: option --offset: column \"x\" is a feature of the model");
  EXPECT_EQ(refusal({.target = "z"}), "error: option --target: column \"z\" is a feature of the model");
  EXPECT_EQ(refusal({.offset = "w"}), "error: option --offset: column \"w\" already has another role");
  EXPECT_EQ(refusal({.weight = "v", .count = "v"}),
            "error: option --weight: column \"v\" already has another role");
  EXPECT_EQ(refusal({.target = "other", .offset = "o"}), "none");
}

TEST(AppliedColumns, AnyColumnMayBePassedThrough) {
  EXPECT_EQ(refusal({.id = "x"}), "none");
  EXPECT_EQ(refusal({.id = "y"}), "none");
}

}  // namespace
}  // namespace lazylogit::io
