#include "lazylogit/data/alphabet.hpp"

#include <gtest/gtest.h>

#include <string>

namespace lazylogit::data {
namespace {

TEST(Alphabet, FindsFewNamesAndManyAlike) {
  for (const FeatureId size : {0u, 1u, 2u, 7u, 8u, 9u, 40u}) {
    Alphabet names;
    for (int round = 0; round < 2; ++round)
      for (FeatureId id = 0; id < size; ++id) EXPECT_EQ(names.intern("name " + std::to_string(id)), id);
    EXPECT_EQ(names.size(), size);
    EXPECT_TRUE(names.build_index());
    for (FeatureId id = 0; id < size; ++id) EXPECT_EQ(names.find("name " + std::to_string(id)), id);
    EXPECT_FALSE(names.find("name"));
    EXPECT_FALSE(names.find(""));
  }
}

TEST(Alphabet, FindsTheFirstOfNamesThatOccurTwice) {
  for (const FeatureId size : {3u, 8u, 9u, 40u}) {
    Alphabet names;
    for (FeatureId id = 0; id < size; ++id) names.append("name " + std::to_string(id % (size - 1)));
    EXPECT_FALSE(names.build_index());
    EXPECT_EQ(names.find("name 0"), 0u);
  }
}

TEST(Alphabet, ForgetsTheLatestNames) {
  for (const FeatureId kept : {0u, 3u, 8u, 12u}) {
    Alphabet names;
    for (FeatureId id = 0; id < 20; ++id) names.intern("name " + std::to_string(id));
    names.truncate(kept);
    EXPECT_EQ(names.size(), kept);
    EXPECT_FALSE(names.find("name " + std::to_string(kept)));
    EXPECT_EQ(names.intern("another"), kept);
    for (FeatureId id = 0; id < kept; ++id) EXPECT_EQ(names.find("name " + std::to_string(id)), id);
  }
}

}  // namespace
}  // namespace lazylogit::data
