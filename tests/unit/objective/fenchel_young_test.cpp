#include "lazylogit/objective/fenchel_young.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/random.hpp"

namespace lazylogit::objective {
namespace {

// R(t) + max over u of (−g u − R(u)) + t g, with the u at which R'(u) = −g.
double by_definition(Strength s, double t, double g) {
  const auto value = [&](double u) { return s.l1 * std::abs(u) + 0.5 * s.l2 * u * u; };
  const double excess = std::max(0.0, std::abs(g) - s.l1);
  const double u = s.l2 > 0 ? std::copysign(excess / s.l2, -g) : 0.0;
  return value(t) + (-g * u - value(u)) + t * g;
}

TEST(FenchelYoung, IsTheConjugatesSumForEveryStrength) {
  Random random(3);
  for (const Strength s :
       {Strength{0, 1}, Strength{0, 1e-3}, Strength{0, 250}, Strength{0.7, 1.5}, Strength{2, 0}})
    for (int k = 0; k < 200; ++k) {
      const double t = k % 9 == 0 ? 0.0 : random.normal();
      double g = k % 7 == 0 ? 0.0 : 2 * random.normal();
      if (s.l2 == 0) g = std::clamp(g, -s.l1, s.l1);
      const double expected = by_definition(s, t, g), found = fenchel_young(s, t, g);
      EXPECT_NEAR(found, expected, 1e-12 * (1 + g * g / (s.l2 > 0 ? s.l2 : 1) + s.l2 * t * t));
      EXPECT_GE(found, 0);
    }
}

TEST(FenchelYoung, IsExactlyZeroWhereTheSlopesMeet) {
  for (const double precision : {0.25, 1.0, 8.0})
    for (const double t : {-3.0, 0.0, 0.5}) EXPECT_EQ(fenchel_young({0, precision}, t, -precision * t), 0.0);
}

}  // namespace
}  // namespace lazylogit::objective
