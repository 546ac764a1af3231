#include "lazylogit/model/feature_set.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "lazylogit/base/random.hpp"

namespace lazylogit::model {
namespace {

TEST(FeatureSet, GivesWhatWasAddedInOrderSomeAtATime) {
  Random random(3);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{65}, std::size_t{20000}})
    for (const std::uint64_t one_in : {1U, 3U, 500U}) {
      FeatureSet set(size);
      std::vector<std::uint64_t> added, found;
      for (std::uint64_t i = 0; i < size; ++i)
        if (random.below(one_in) == 0) added.push_back(i);
      for (std::size_t k = added.size(); k > 0; --k) set.add(added[k - 1]);
      set.for_all([&](std::span<const std::uint64_t> rows) {
        EXPECT_FALSE(rows.empty());
        EXPECT_LE(rows.size(), some_rows);
        found.insert(found.end(), rows.begin(), rows.end());
      });
      EXPECT_EQ(found, added);
    }
}

}  // namespace
}  // namespace lazylogit::model
