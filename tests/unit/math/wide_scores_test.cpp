#include "lazylogit/math/wide_scores.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/math/vector.hpp"

namespace lazylogit::math {
namespace {

TEST(WideScores, SumsAndAdditionsOfEveryWidthAreThoseOfPlainLoops) {
  constexpr std::size_t features = 30, entries = 11;
  Random random(3);
  for (std::size_t width = 4; width <= 148; width += 4) {
    std::vector<FeatureId> ids;
    std::vector<float> values, step, start;
    for (std::size_t k = 0; k < entries; ++k) {
      ids.push_back(static_cast<FeatureId>(random.below(features)));
      values.push_back(static_cast<float>(random.normal()));
    }
    AlignedVector<float> numbers(features * width);
    for (float& x : numbers) x = static_cast<float>(random.normal());
    for (std::size_t c = 0; c < width; ++c) {
      step.push_back(static_cast<float>(random.normal()));
      start.push_back(static_cast<float>(random.normal()));
    }
    for (const bool ones : {false, true}) {
      std::vector<float> sums(start);
      AlignedVector<float> added(numbers), out(width);
      for (std::size_t k = 0; k < entries; ++k)
        for (std::size_t c = 0; c < width; ++c) {
          const float x = ones ? 1.0F : values[k];
          sums[c] += x * numbers[ids[k] * width + c];
          added[ids[k] * width + c] += x * step[c];
        }
      AlignedVector<float> changed(numbers);
      const WideTable table{numbers.data(), width, width, start.data()};
      if (ones) {
        wide_scores(ids.data(), nullptr, entries, table, out.data());
        wide_add(ids.data(), nullptr, entries, step.data(), width, changed.data());
      } else {
        wide_scores(ids.data(), values.data(), entries, table, out.data());
        wide_add(ids.data(), values.data(), entries, step.data(), width, changed.data());
      }
      for (std::size_t c = 0; c < width; ++c) EXPECT_FLOAT_EQ(out[c], sums[c]) << width;
      for (std::size_t i = 0; i < changed.size(); ++i) EXPECT_FLOAT_EQ(changed[i], added[i]) << width;
    }
  }
}

}  // namespace
}  // namespace lazylogit::math
