#include "lazylogit/math/softmax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lazylogit/math/elementary.hpp"

namespace lazylogit::math {
namespace {

double relative_error(double value, long double truth) {
  if (truth == 0) return std::fabs(value);
  return static_cast<double>(std::fabs((static_cast<long double>(value) - truth) / truth));
}

TEST(Elementary, ExpIsWithinOneUnitInTheLastPlace) {
  for (int i = 0; i <= 200000; ++i) {
    const double x = -708.0 * i / 200000.0;
    ASSERT_LE(relative_error(exp_nonpositive(x), std::exp(static_cast<long double>(x))), 2.3e-16) << x;
  }
  EXPECT_EQ(exp_nonpositive(0), 1.0);
  EXPECT_EQ(exp_nonpositive(-1e6), 0.0);
  EXPECT_EQ(exp_nonpositive(-std::numeric_limits<double>::infinity()), 0.0);
  EXPECT_TRUE(std::isnan(exp_nonpositive(std::nan(""))));
}

TEST(Elementary, ExpUnderflowsGradually) {
  for (double x = -709; x > -745; x -= 0.37) {
    const auto truth = static_cast<double>(std::exp(static_cast<long double>(x)));
    EXPECT_NEAR(exp_nonpositive(x), truth, 5e-324 + 2.3e-16 * truth) << x;
    EXPECT_GT(exp_nonpositive(x), 0) << x;
  }
}

TEST(Elementary, Log1pIsWithinTwoUnitsInTheLastPlace) {
  for (int i = 0; i <= 200000; ++i) {
    const double e = i / 200000.0;
    ASSERT_LE(relative_error(log1p_unit(e), std::log1p(static_cast<long double>(e))), 4.5e-16) << e;
  }
  EXPECT_EQ(log1p_unit(1e-300), 1e-300);
  EXPECT_EQ(log1p_unit(0), 0);
}

TEST(Sigmoid, IsRightForScoresOfAnySize) {
  for (const double s : {0.0, 1e-9, -1e-9, 1.0, -1.0, 36.0, -36.0, 700.0, -700.0, -740.0}) {
    const long double truth = 1 / (1 + std::exp(-static_cast<long double>(s)));
    EXPECT_LE(relative_error(sigmoid(s), truth), s < -708 ? 1e-2 : 4.5e-16) << s;
  }
  EXPECT_EQ(sigmoid(1e6), 1.0);
  EXPECT_EQ(sigmoid(-1e6), 0.0);
  EXPECT_EQ(sigmoid(1e308), 1.0);
  EXPECT_TRUE(std::isnan(sigmoid(std::nan(""))));
}

TEST(Log1pExp, KeepsTinyLossesAndLargeOnes) {
  EXPECT_EQ(log1p_exp(-500), std::exp(-500));
  EXPECT_EQ(log1p_exp(1e6), 1e6);
  EXPECT_EQ(log1p_exp(1e308), 1e308);
  EXPECT_EQ(log1p_exp(-1e6), 0);
  EXPECT_DOUBLE_EQ(log1p_exp(0), std::log(2.0));
  EXPECT_DOUBLE_EQ(log_sigmoid(-50), -50 - std::exp(-50.0));
}

TEST(ArrayForms, AgreeWithTheScalarOnes) {
  std::vector<double> scores;
  for (double s = -800; s < 800; s += 0.731) scores.push_back(s);
  std::vector<double> p(scores.size()), l(scores.size());
  sigmoids(scores, p);
  log1p_exps(scores, l);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    EXPECT_NEAR(p[i], sigmoid(scores[i]), 4.5e-16 * p[i] + 5e-324) << scores[i];
    EXPECT_NEAR(l[i], log1p_exp(scores[i]), 6e-16 * l[i] + 5e-324) << scores[i];
  }
}

// Σ exp(s − top) in long double, the reference included when present.
struct Truth {
  long double top, sum;
  Truth(const std::vector<double>& scores, ReferenceClass reference)
      : top(reference == ReferenceClass::present ? 0 : -INFINITY), sum(0) {
    for (const double s : scores) top = std::max(top, static_cast<long double>(s));
    for (const double s : scores) sum += std::exp(static_cast<long double>(s) - top);
    if (reference == ReferenceClass::present) sum += std::exp(-top);
  }
  long double p(double s) const { return std::exp(static_cast<long double>(s) - top) / sum; }
};

TEST(Softmax, AgreesWithLongDoubleForManyClassesWithAndWithoutReference) {
  for (const auto reference : {ReferenceClass::absent, ReferenceClass::present})
    for (const std::size_t count : {1u, 2u, 3u, 7u, 8u, 9u, 20u, 105u, 1000u})
      for (const double size : {1e-3, 1.0, 30.0, 600.0}) {
        std::vector<double> scores(count);
        for (std::size_t i = 0; i < count; ++i)
          scores[i] = size * std::sin(1.7 * static_cast<double>(i) + 0.3);
        const Truth truth(scores, reference);
        std::vector<double> p = scores, log_p = scores;
        const LogNormalizer z = apply_softmax(p, reference);
        apply_log_softmax(log_p, reference);
        double sum = reference == ReferenceClass::present ? std::exp(z.log_probability(0)) : 0;
        for (std::size_t i = 0; i < count; ++i) {
          sum += p[i];
          // score − top is rounded: its own size counts
          const double tolerance = 1e-14 + 2.3e-16 * (z.top - scores[i]),
                       expected = static_cast<double>(truth.p(scores[i]));
          EXPECT_NEAR(p[i], expected, tolerance * expected + 5e-324) << count << " " << size << " " << i;
          EXPECT_NEAR(log_p[i], static_cast<double>(std::log(truth.p(scores[i]))), 1e-12) << i;
        }
        EXPECT_NEAR(sum, 1, 1e-14);
        EXPECT_EQ(log_normalizer(scores, reference).top, z.top);
        EXPECT_NEAR(log_normalizer(scores, reference).log_rest, z.log_rest, 1e-14 * (1 + z.log_rest));
      }
}

TEST(Softmax, ResidualsAreProbabilitiesLessTheLabel) {
  for (const auto reference : {ReferenceClass::absent, ReferenceClass::present})
    for (const std::size_t count : {1u, 2u, 3u, 7u, 8u, 9u, 16u, 17u, 20u, 24u, 25u, 105u})
      for (const std::size_t label : {std::size_t{0}, count - 1, count}) {
        if (label == count && reference == ReferenceClass::absent) continue;
        const std::size_t room = (count + 7) / 8 * 8;
        std::vector<double> scores(count), residuals(room, 1e300);  // what lies beyond must not matter
        for (std::size_t i = 0; i < count; ++i)
          residuals[i] = scores[i] = 2 * std::cos(1.3 * static_cast<double>(i)) - 1;
        std::vector<double> p = scores;
        const LogNormalizer z = apply_softmax(p, reference);
        const double loss = apply_softmax_residuals(residuals.data(), count, reference, label, -0.5);
        EXPECT_DOUBLE_EQ(loss, -z.log_probability(label < count ? scores[label] : 0.0));
        for (std::size_t i = 0; i < count; ++i)
          EXPECT_NEAR(residuals[i], -0.5 * (p[i] - (i == label ? 1 : 0)), 3e-16) << count << " " << i;
        for (std::size_t i = count; i < room; ++i) EXPECT_EQ(residuals[i], 0) << count << " " << i;
      }
  double tied[8] = {2, 2, 2}, large[8] = {1e6, -1e6}, unknown[8] = {1, std::nan("")};
  EXPECT_DOUBLE_EQ(apply_softmax_residuals(tied, 3, ReferenceClass::absent, 1, 3), std::log(3.0));
  EXPECT_DOUBLE_EQ(tied[1], -2);
  EXPECT_EQ(apply_softmax_residuals(large, 2, ReferenceClass::absent, 0, 1), 0);
  EXPECT_EQ(large[0], 0);
  EXPECT_TRUE(std::isnan(apply_softmax_residuals(unknown, 2, ReferenceClass::present, 0, 1)));
}

TEST(Softmax, LosesNothingAtAMillionAndBeyond) {
  std::vector<double> scores{1e6, 1e6 - 1, -1e6};
  const LogNormalizer z = log_normalizer(scores, ReferenceClass::present);
  EXPECT_DOUBLE_EQ(z.log_probability(1e6), -std::log1p(std::exp(-1.0)));
  EXPECT_DOUBLE_EQ(z.log_probability(0), -1e6 - std::log1p(std::exp(-1.0)));
  apply_softmax(scores, ReferenceClass::present);
  EXPECT_DOUBLE_EQ(scores[0], 1 / (1 + std::exp(-1.0)));
  EXPECT_EQ(scores[2], 0);
  std::vector<double> huge{1e308, -1e308};
  EXPECT_EQ(apply_softmax(huge, ReferenceClass::absent).log_rest, 0);
  EXPECT_EQ(huge[0], 1);
}

TEST(Softmax, KeepsTheLogProbabilityOfANearCertainClass) {
  const std::vector<double> scores{0.0, -600.0};
  EXPECT_DOUBLE_EQ(log_normalizer(scores, ReferenceClass::absent).log_probability(0.0), -std::exp(-600.0));
}

TEST(Softmax, GivesTheLikelihoodOfTheExtremeCase) {  // logits of ±1500; the sum is from 220-bit arithmetic
  const double x[4][2] = {{1000.0, -500.0}, {-750.0, 750.0}, {0.001, 0.001}, {700.0, 700.0}};
  const int y[4] = {0, 1, 2, 1};
  const double b[2][2] = {{1.0, -1.0}, {-1.0, 0.5}};
  double loglik = 0;
  for (int j = 0; j < 4; ++j) {
    const std::vector<double> s{b[0][0] * x[j][0] + b[0][1] * x[j][1], b[1][0] * x[j][0] + b[1][1] * x[j][1]};
    loglik += log_normalizer(s, ReferenceClass::present)
                  .log_probability(y[j] == 2 ? 0 : s[static_cast<std::size_t>(y[j])]);
  }
  EXPECT_NEAR(loglik, -351.7915928303376, 1e-12 * 352);
}

TEST(Softmax, PassesNaNOnAndGivesMinusInfinityNoProbability) {
  std::vector<double> scores{1.0, std::nan(""), 2.0};
  EXPECT_TRUE(std::isnan(apply_softmax(scores, ReferenceClass::absent).log_rest));
  std::vector<double> first{std::nan(""), 2.0};
  EXPECT_TRUE(std::isnan(apply_softmax(first, ReferenceClass::absent).log_rest));
  std::vector<double> infinite{-INFINITY, 0.0};
  apply_softmax(infinite, ReferenceClass::absent);
  EXPECT_EQ(infinite[0], 0);
  EXPECT_EQ(infinite[1], 1);
}

}  // namespace
}  // namespace lazylogit::math
