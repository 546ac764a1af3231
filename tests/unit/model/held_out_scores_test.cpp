#include "lazylogit/model/held_out_scores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/random.hpp"
#include "lazylogit/math/softmax.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::model {
namespace {

TEST(HeldOutScores, TakesTheOrderStatisticThatCoversOneMoreRow) {
  const HeldOutScores nine{{1, 2, 3, 4, 5, 6, 7, 8, 9}, {}};
  EXPECT_EQ(nine.threshold(0.9), 9);  // 0.9 · (9 + 1) = 9 rows
  EXPECT_EQ(nine.threshold(0.5), 5);
  EXPECT_EQ(nine.threshold(0.51), 6);
  EXPECT_TRUE(std::isinf(nine.threshold(0.91)));
  EXPECT_TRUE(std::isinf(HeldOutScores{}.threshold(0.5)));
}

TEST(HeldOutScores, CountsAWeightAsThatManyRows) {
  const HeldOutScores repeated{{1, 2, 2, 2, 3, 3}, {}};
  const HeldOutScores weighted{{1, 2, 3}, {1, 3, 2}};
  for (double level = 0.05; level < 1; level += 0.05)
    EXPECT_EQ(repeated.threshold(level), weighted.threshold(level)) << level;
}

TEST(HeldOutScores, NoSetIsEmptyAndTheMostProbableClassComesFirst) {
  std::vector<ClassId> set;
  conformal_set(std::vector<double>{0.2, 0.5, 0.3}, 0, set);
  EXPECT_EQ(set, std::vector<ClassId>{1});
  set.clear();
  conformal_set(std::vector<double>{0.2, 0.5, 0.3}, -std::log(0.3), set);
  EXPECT_EQ(set, (std::vector<ClassId>{1, 2}));
  set.clear();
  conformal_set(std::vector<double>{0.0, 1.0, 0.0}, HUGE_VAL, set);
  EXPECT_EQ(set, (std::vector<ClassId>{1, 0, 2}));
}

// Labels are drawn from the true probabilities, sets are made from those of a model that is wrong: pooled over many
// calibration sets, the truth is covered as often as asked, and not much more often.
TEST(HeldOutScores, CoverTheTruthAsOftenAsAsked) {
  for (const std::size_t classes : {2u, 5u})
    for (const double level : {0.8, 0.95}) {
      Random random(7 + classes);
      const auto draw = [&](std::vector<double>& p) {  // a row: the model's probabilities and the true label
        std::vector<double> truth(classes);
        for (std::size_t c = 0; c < classes; ++c) {
          truth[c] = 1.5 * random.normal();
          p[c] = 0.7 * truth[c] + 0.5 * random.normal();  // too timid, and noisy
        }
        math::apply_softmax(truth, math::ReferenceClass::absent);
        math::apply_softmax(p, math::ReferenceClass::absent);
        double u = random.uniform();
        for (std::size_t c = 0; c + 1 < classes; ++c)
          if ((u -= truth[c]) < 0) return c;
        return classes - 1;
      };
      std::vector<double> p(classes);
      std::size_t covered = 0, all = 0;
      for (int repeat = 0; repeat < 400; ++repeat) {
        HeldOutScores scores;
        for (int j = 0; j < 99; ++j) {
          const std::size_t label = draw(p);
          scores.scores.push_back(-std::log(p[label]));
        }
        std::sort(scores.scores.begin(), scores.scores.end());
        const double threshold = scores.threshold(level);
        for (int j = 0; j < 50; ++j, ++all) {
          const std::size_t label = draw(p);
          std::vector<ClassId> set;
          conformal_set(p, threshold, set);
          covered += std::count(set.begin(), set.end(), static_cast<ClassId>(label)) > 0 ? 1 : 0;
        }
      }
      const double rate = static_cast<double>(covered) / static_cast<double>(all);
      EXPECT_GE(rate, level - 0.01) << classes;
      EXPECT_LE(rate, level + 0.015) << classes;
    }
}

}  // namespace
}  // namespace lazylogit::model
