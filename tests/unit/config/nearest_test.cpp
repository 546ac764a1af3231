#include "lazylogit/config/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace lazylogit::config {
namespace {

const std::vector<std::string> words = {"variance", "scale", "scale-prior", "predict", "train"};

TEST(Nearest, FindsSwappedMissingAndWrongLetters) {
  EXPECT_EQ(nearest("varaince", words), "variance");
  EXPECT_EQ(nearest("varince", words), "variance");
  EXPECT_EQ(nearest("predikt", words), "predict");
  EXPECT_EQ(nearest("TRAIN", words), "train");
}

TEST(Nearest, TakesABeginning) { EXPECT_EQ(nearest("var", words), "variance"); }

TEST(Nearest, SeesThroughBlanksAtTheEnds) {
  const std::vector<std::string> padded = {"x", " y", "z "};
  EXPECT_EQ(nearest("y", padded), " y");
  EXPECT_EQ(nearest(" z", padded), "z ");
}

TEST(Nearest, IsSilentWhenNothingIsClose) {
  EXPECT_FALSE(nearest("xyzzy", words));
  EXPECT_FALSE(nearest("", words));
  const std::vector<std::string> letters = {"a", "b"};
  EXPECT_FALSE(nearest("c", letters));
  EXPECT_FALSE(nearest(std::string(1000, 'v'), words));
}

TEST(DidYouMean, QuotesTheCandidate) {
  EXPECT_EQ(did_you_mean("scal", words, "--"), "did you mean \"--scale\"?");
}

}  // namespace
}  // namespace lazylogit::config
