// Assumed-density filtering: its moments against brute force, its belief against the exact posterior of small golden cases.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "golden/golden_case.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/optim/online/score_belief.hpp"

namespace lazylogit::golden {
namespace {

using optim::ScoreMoments;

ScoreMoments brute_force(double mean, double variance, double weight) {
  double total = 0, first = 0, second = 0, predictive = 0, plain = 0;
  const double deviation = std::sqrt(variance);
  for (int i = -40000; i <= 40000; ++i) {
    const double z = mean + deviation * i / 3000;
    const double belief = std::exp(-0.5 * (z - mean) * (z - mean) / variance);
    const double likelihood = 1 / (1 + std::exp(-z)), tilted = belief * std::pow(likelihood, weight);
    total += tilted;
    first += tilted * (z - mean);
    second += tilted * (z - mean) * (z - mean);
    predictive += belief * likelihood;
    plain += belief;
  }
  const double shift = first / total;
  return {std::log(predictive / plain), mean + shift, second / total - shift * shift};
}

TEST(ScoreBelief, MomentsOfTwoClassesEqualBruteForce) {
  for (const double mean : {-6.0, -1.0, 0.0, 0.7, 5.0})
    for (const double variance : {1e-4, 0.3, 2.0, 40.0, 900.0})
      for (const double weight : {1.0, 2.5}) {
        const ScoreMoments moments = optim::logistic_moments(mean, variance, weight);
        const ScoreMoments expected = brute_force(mean, variance, weight);
        EXPECT_NEAR(moments.log_predictive, expected.log_predictive, 1e-6) << mean << ' ' << variance;
        EXPECT_NEAR(moments.mean, expected.mean, 1e-5 * std::sqrt(variance)) << mean << ' ' << variance;
        EXPECT_NEAR(moments.variance, expected.variance, 1e-5 * variance) << mean << ' ' << variance;
      }
}

TEST(ScoreBelief, SeveralClassesAgreeWithTwoWhereBothApply) {
  // Two independent scores of two classes: their difference is one score of twice the variance.
  std::vector<double> means{0.2, -0.4}, variances{0.05, 0.05};
  optim::softmax_moments(1, false, 1, means, variances);
  const ScoreMoments one = optim::logistic_moments(-0.6, 0.1, 1);
  EXPECT_NEAR(means[1] - means[0], one.mean, 2e-3);
  for (const double v : variances) {
    EXPECT_LT(v, 0.05);
    EXPECT_GT(v, 0.045);
  }
}

TEST(Adf, IsNearTheExactPosteriorOfOneCoefficient) {
  const Case c("bayes_1d_gauss_nointercept");
  optim::OnlineSettings settings{.prior = prior::Gaussian::from_variance(4)};
  settings.intercept = false;
  const auto learner = optim::find_online_learner("adf")->make(settings);
  learner->grow(1, 2);
  data::Rows rows;
  rows.x = c.x;
  double error_sum = 0;
  std::vector<double> x, sign;
  for (std::size_t j = 0; j < c.labels.size(); ++j) {
    rows.labels.push_back(c.labels[j] == 0 ? 1 : 0);  // class 0 of the case is the one with the vector
    x.push_back(c.x.value(j));
    sign.push_back(c.labels[j] == 0 ? 1 : -1);
  }
  ASSERT_EQ(c.x.num_nonzeros(), c.labels.size());
  std::vector<optim::RowOutcome> outcomes;
  learner->learn(rows, {}, 1, outcomes);
  for (const optim::RowOutcome& outcome : outcomes) error_sum += outcome.loss;

  double total = 0, first = 0, second = 0;
  for (int i = -60000; i <= 60000; ++i) {
    const double b = i * 2.5e-4;
    double log_density = -b * b / 8;
    for (std::size_t j = 0; j < x.size(); ++j) log_density -= std::log1p(std::exp(-sign[j] * x[j] * b));
    const double density = std::exp(log_density);
    total += density;
    first += density * b;
    second += density * b * b;
  }
  const double mean = first / total, deviation = std::sqrt(second / total - mean * mean);
  double m = 0, v = 0;
  learner->coefficients(0, &m);
  ASSERT_TRUE(learner->variances(0, &v));
  EXPECT_NEAR(m, mean, 0.1 * deviation);
  EXPECT_NEAR(std::sqrt(v), deviation, 0.1 * deviation);
  // The sum of its losses is near −log evidence.
  EXPECT_NEAR(-error_sum, c.file["results"]["log_evidence_exact"].get<double>(), 0.15);
}

TEST(Adf, ForgettingIsExactlyLazyAndEndsAtThePrior) {
  optim::OnlineSettings settings{.prior = prior::Gaussian::from_variance(2)};
  settings.forget = 0.97;
  settings.intercept = false;
  const auto learner = optim::find_online_learner("adf")->make(settings);
  learner->grow(2, 2);
  const auto learn = [&](FeatureId id, ClassId label) {
    data::Rows rows;
    rows.x.ids.push_back(id);
    rows.x.row_offsets.push_back(1);
    rows.labels.push_back(label);
    std::vector<optim::RowOutcome> outcomes;
    learner->learn(rows, {}, 1, outcomes);
  };
  learn(0, 1);
  double mean = 0, variance = 0;
  learner->coefficients(0, &mean);
  learner->variances(0, &variance);
  const double precision = 1 / variance - 0.5, natural = mean / variance;
  for (int i = 0; i < 30; ++i) learn(1, i % 2);
  const double kept = std::pow(0.97, 30);
  double later = 0, wider = 0;
  learner->coefficients(0, &later);
  learner->variances(0, &wider);
  EXPECT_NEAR(1 / wider, kept * precision + 0.5, 1e-12);
  EXPECT_NEAR(later / wider, kept * natural, 1e-12);
  for (int i = 0; i < 2000; ++i) learn(1, i % 2);
  learner->coefficients(0, &later);
  learner->variances(0, &wider);
  EXPECT_NEAR(later, 0, 1e-12);
  EXPECT_NEAR(wider, 2, 1e-12);
}

TEST(Perceptron, AveragesEqualASlowSum) {
  for (const int classes : {2, 3}) {
    optim::OnlineSettings settings{.prior = prior::Uniform{}};
    optim::OnlineSettings averaging = settings;
    averaging.average = true;
    const auto plain = optim::find_online_learner("perceptron")->make(settings);
    const auto average = optim::find_online_learner("perceptron")->make(averaging);
    plain->grow(4, static_cast<std::size_t>(classes));
    average->grow(4, static_cast<std::size_t>(classes));
    const std::size_t vectors = plain->num_vectors();
    std::vector<double> sums(5 * vectors), now(vectors), mean(vectors);
    for (int t = 1; t <= 60; ++t) {
      data::Rows rows;
      Buffer<double> values;
      for (FeatureId f = 0; f < 4; ++f)
        if ((static_cast<unsigned>(t) * (f + 3)) % 5 < 3) {
          rows.x.ids.push_back(f);
          values.push_back((static_cast<unsigned>(t) * (f + 7)) % 11 - 4.5);
        }
      rows.x.row_offsets.push_back(rows.x.ids.size());
      rows.x.values = std::move(values);
      rows.labels.push_back((t * t) % classes);
      std::vector<optim::RowOutcome> outcomes;
      plain->learn(rows, {}, 1, outcomes);
      average->learn(rows, {}, 1, outcomes);
      for (std::size_t f = 0; f <= 4; ++f) {
        plain->coefficients(f, now.data());
        average->coefficients(f, mean.data());
        for (std::size_t c = 0; c < vectors; ++c) {
          sums[f * vectors + c] += now[c];
          EXPECT_NEAR(mean[c], sums[f * vectors + c] / t, 1e-10) << t;
        }
      }
    }
  }
}

}  // namespace
}  // namespace lazylogit::golden
