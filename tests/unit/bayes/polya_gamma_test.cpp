#include "lazylogit/bayes/polya_gamma.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace lazylogit::bayes {
namespace {

// E ω = tanh(z/2)/(2z), Var ω = (sinh z − z)/(4 z³ cosh²(z/2)); at 0: 1/4 and 1/24.
double mean(double z) { return z == 0 ? 0.25 : std::tanh(z / 2) / (2 * z); }
double variance(double z) {
  if (z == 0) return 1.0 / 24;
  const double sech2 = 4 / (std::exp(z) + 2 + std::exp(-z));  // 1/cosh²(z/2)
  return z > 30 ? 0.5 / (z * z * z) : (std::sinh(z) - z) * sech2 / (4 * z * z * z);
}

TEST(PolyaGamma, HasTheMomentsOfTheDistribution) {
  constexpr int draws = 40000;
  for (const double z : {0.0, 0.3, -2.0, 3.1, 8.0, 50.0, 2000.0}) {
    Random random(11);
    double sum = 0, squares = 0;
    for (int k = 0; k < draws; ++k) {
      const double w = draw_polya_gamma(z, random);
      ASSERT_GT(w, 0);
      sum += w;
      squares += w * w;
    }
    const double m = sum / draws, v = squares / draws - m * m, expected = variance(std::abs(z));
    EXPECT_NEAR(m, mean(std::abs(z)), 4 * std::sqrt(expected / draws)) << z;
    EXPECT_NEAR(v, expected, 0.08 * expected) << z;
  }
}

// E exp(−s ω) = cosh(z/2)/cosh(√(z²/4 + s/2)): the whole distribution, not two moments.
TEST(PolyaGamma, HasTheLaplaceTransformOfTheDistribution) {
  constexpr int draws = 40000;
  for (const double z : {0.0, 1.7, 3.2})
    for (const double s : {0.5, 5.0, 40.0}) {
      Random random(5);
      double sum = 0, squares = 0;
      for (int k = 0; k < draws; ++k) {
        const double e = std::exp(-s * draw_polya_gamma(z, random));
        sum += e;
        squares += e * e;
      }
      const double m = sum / draws, error = std::sqrt((squares / draws - m * m) / draws);
      EXPECT_NEAR(m, std::cosh(z / 2) / std::cosh(std::sqrt(z * z / 4 + s / 2)), 4 * error) << z << " " << s;
    }
}

TEST(PolyaGamma, OfAWeightIsASum) {
  Random random(3);
  double sum = 0;
  constexpr int draws = 20000;
  for (int k = 0; k < draws; ++k) sum += draw_polya_gamma(3, 1.5, random);
  EXPECT_NEAR(sum / draws, 3 * mean(1.5), 4 * std::sqrt(3 * variance(1.5) / draws));
}

}  // namespace
}  // namespace lazylogit::bayes
