#include "lazylogit/config/names_elsewhere.hpp"

#include <gtest/gtest.h>

namespace lazylogit::config {
namespace {

TEST(NamesElsewhere, AreKnownWithEitherMarkBetweenWords) {
  EXPECT_EQ(option_called_elsewhere("max_iter"), "max-passes");
  EXPECT_EQ(option_called_elsewhere("max-iter"), "max-passes");
  EXPECT_EQ(option_called_elsewhere("C"), "variance");
  EXPECT_EQ(option_called_elsewhere("lambda"), "");
  EXPECT_EQ(option_called_elsewhere(""), "");
}

}  // namespace
}  // namespace lazylogit::config
