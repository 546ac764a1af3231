#include "lazylogit/bayes/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/bayes/gibbs.hpp"
#include "lazylogit/bayes/nuts.hpp"
#include "lazylogit/math/softmax.hpp"
#include "support/fitted_problem.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::bayes {
namespace {

model::PosteriorApproximation sample(const objective::Problem& problem, const SamplingRequest& request) {
  const math::Vector b = test::optimum(problem);
  return sample_posterior(problem, b, test::record_of(problem, b), request, {}, {});
}

TEST(NoUTurn, SamplesAGaussian) {
  // Standard deviations 1, 0.5 and 2, the last two correlated by 0.6, around 1.
  const auto density = [](std::span<const double> z, std::span<double> g) {
    const double a = z[0] - 1, b = (z[1] - 1) / 0.5, c = (z[2] - 1) / 2, r = 0.6, k = 1 / (1 - r * r);
    g[0] = a;
    g[1] = k * (b - r * c) / 0.5;
    g[2] = k * (c - r * b) / 2;
    return 0.5 * a * a + 0.5 * k * (b * b - 2 * r * b * c + c * c);
  };
  NoUTurnSampler sampler(density, {5, -3, 4}, 7);
  for (int k = 0; k < 500; ++k) sampler.step(true);
  sampler.end_adaptation();
  double sum[3] = {}, squares[3] = {}, cross = 0;
  constexpr int draws = 6000;
  for (int k = 0; k < draws; ++k) {
    sampler.step(false);
    for (std::size_t i = 0; i < 3; ++i) {
      sum[i] += sampler.state()[i] - 1;
      squares[i] += (sampler.state()[i] - 1) * (sampler.state()[i] - 1);
    }
    cross += (sampler.state()[1] - 1) * (sampler.state()[2] - 1);
  }
  const double sd[3] = {1, 0.5, 2};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(sum[i] / draws, 0, 0.06 * sd[i]) << i;
    EXPECT_NEAR(squares[i] / draws, sd[i] * sd[i], 0.08 * sd[i] * sd[i]) << i;
  }
  EXPECT_NEAR(cross / draws, 0.6, 0.06);
  EXPECT_EQ(sampler.divergences(), 0u);
}

// Two samplers that share no code but the likelihood's definition agree about means and deviations.
TEST(Sampling, GibbsAndHamiltonianAgree) {
  struct Setting {
    model::Shape shape;
    bool offsets, scatter;
  };
  const std::vector<Setting> settings{{{.num_classes = 2, .reference = ClassId{0}}, true, true},
                                      {{.num_classes = 2, .reference = ClassId{1}}, true, false},
                                      {{.num_classes = 3}, false, false},
                                      {{.num_classes = 3, .reference = ClassId{1}}, false, true}};
  for (const Setting& setting : settings) {
    const auto p = test::make_sparse_problem({.num_rows = 40,
                                              .num_features = 3,
                                              .density = 0.8,
                                              .shape = setting.shape,
                                              .offsets = setting.offsets,
                                              .seed = 9},
                                             prior::Gaussian{1.0});
    if (setting.scatter) test::scatter_prior(*p, 3);
    p->weights.assign(40, 1.0);
    p->weights[3] = 2;
    p->weights[5] = 0;
    p->problem.weights = p->weights;
    ASSERT_TRUE(takes_gibbs(p->problem));
    const auto gibbs = sample(p->problem, {.per_chain = 1500, .method = SamplingMethod::polya_gamma});
    const auto hamiltonian = sample(p->problem, {.per_chain = 1000, .method = SamplingMethod::hamiltonian});
    EXPECT_LT(gibbs.sampling.worst_rhat, 1.03);
    EXPECT_LT(hamiltonian.sampling.worst_rhat, 1.03);
    for (std::size_t i = 0; i < p->problem.shape.size(); ++i) {
      const double sd = std::sqrt(hamiltonian.variance[i]);
      EXPECT_EQ(gibbs.variance[i] > 0, sd > 0) << i;
      const double error =
          4.5 * sd / std::sqrt(std::min(gibbs.sampling.smallest_ess, hamiltonian.sampling.smallest_ess));
      EXPECT_NEAR(gibbs.mean[i], hamiltonian.mean[i], error + 1e-6) << i;
      EXPECT_NEAR(std::sqrt(gibbs.variance[i]), sd, error + 1e-6) << i;
    }
  }
}

TEST(Sampling, ThreadsChangeNothing) {
  for (const SamplingMethod method : {SamplingMethod::polya_gamma, SamplingMethod::hamiltonian}) {
    const auto p =
        test::make_sparse_problem({.num_rows = 60, .shape = {.num_classes = 3}}, prior::Gaussian{1.0});
    const SamplingRequest request{.chains = 3, .per_chain = 30, .warmup = 20, .method = method};
    const auto once = sample(p->problem, request);
    const ThreadLimit limit(1);
    const auto again = sample(p->problem, request);
    EXPECT_EQ(once.samples, again.samples);
    EXPECT_EQ(once.mean, again.mean);
  }
}

// On a busy machine a second may pass without a draw: twice the seconds until there are some.
auto sample_as_long_as_it_takes(const objective::Problem& problem, SamplingRequest request) {
  for (;; *request.max_seconds *= 2) {
    try {
      return sample(problem, request);
    } catch (const LimitError&) {
      if (*request.max_seconds > 200) throw;
    }
  }
}

TEST(Sampling, TimeThatRunsOutLeavesTheBeginningOfEveryChain) {
  for (const bool gibbs : {true, false}) {
    const auto p = test::make_sparse_problem({.num_rows = 20,
                                              .num_features = 2,
                                              .density = 0.8,
                                              .shape = {.num_classes = 2, .reference = ClassId{0}}},
                                             prior::Gaussian{1.0});
    SamplingRequest request{.chains = 3, .per_chain = 4'000'000, .warmup = 5, .max_seconds = 1};
    request.method = gibbs ? SamplingMethod::polya_gamma : SamplingMethod::hamiltonian;
    const auto some = sample_as_long_as_it_takes(p->problem, request);
    ASSERT_LT(some.sampling.per_chain, request.per_chain);
    ASSERT_GE(some.sampling.per_chain, fewest_draws);
    request.per_chain = some.sampling.per_chain;
    request.max_seconds.reset();
    const auto all = sample(p->problem, request);
    EXPECT_EQ(some.samples, all.samples);
    EXPECT_EQ(some.mean, all.mean);
    EXPECT_EQ(some.sampling.worst_rhat, all.sampling.worst_rhat);
    request.max_seconds = 0;
    EXPECT_THROW(sample(p->problem, request), LimitError);
  }
}

TEST(Sampling, RefusesWhatWouldNotFitAndNamesWhatIsNotDetermined) {
  const auto p = test::make_sparse_problem(
      {.num_rows = 30, .num_features = 3, .density = 0, .shape = {.num_classes = 2, .reference = ClassId{0}}},
      prior::Uniform{});
  const math::Vector b(p->problem.shape.size(), 0.0);
  EXPECT_THROW(sample_posterior(p->problem, b, test::record_of(p->problem, b), {}, {}, {}), InputError);
  EXPECT_THROW(sample_posterior(p->problem, b, test::record_of(p->problem, b),
                                {.chains = 1000, .per_chain = 1'000'000}, {}, {}),
               ConfigError);
}

// Simulation-based calibration: with coefficients drawn from the prior and data from the coefficients, the rank of the
// true value among the draws of the posterior is uniform.
class Calibration : public testing::TestWithParam<std::pair<const char*, prior::AnyPrior>> {};

double draw(const prior::AnyPrior& prior, Random& random) {
  return std::visit(
      [&]<class P>(const P& p) {
        const double u = random.uniform();
        if constexpr (std::is_same_v<P, prior::Gaussian>) return random.normal() / std::sqrt(p.precision);
        if constexpr (std::is_same_v<P, prior::Laplace>)
          return (u < 0.5 ? std::log(2 * u) : -std::log(2 * (1 - u))) / p.l1;
        if constexpr (std::is_same_v<P, prior::Cauchy>)
          return std::tan(3.141592653589793 * (u - 0.5)) / std::sqrt(p.inverse_square);
        return 0.0;
      },
      prior);
}

TEST_P(Calibration, RanksOfTheTruthAreUniform) {
  const prior::AnyPrior prior = GetParam().second;
  constexpr std::size_t sets = 160, thin = 6, kept = 49, bins = 10;
  std::vector<double> counts(bins, 0.0);
  double total = 0;
  for (const std::size_t classes : {2u, 3u})
    for (std::size_t set = 0; set < sets / 2; ++set) {
      model::Shape shape{.num_classes = classes};
      if (classes == 2) shape.reference = ClassId{0};
      const auto p = test::make_sparse_problem(
          {.num_rows = 25, .num_features = 2, .density = 1, .shape = shape, .seed = 1000 * classes + set},
          prior);
      shape = p->problem.shape;
      p->prior.emplace(prior, shape.size(), shape.size());  // the intercept has the prior too
      Random random(5000 * classes + set);
      math::Vector truth(shape.size(), 0.0);
      for (std::size_t i = 0; i < truth.size(); ++i)
        if (i % shape.stride() < shape.num_vectors()) truth[i] = draw(prior, random);
      const auto& x = std::get<Buffer<double>>(p->x.values);
      for (std::size_t j = 0; j < p->labels.size(); ++j) {
        std::vector<double> s(classes, 0.0);
        for (std::size_t v = 0; v < shape.num_vectors(); ++v)
          s[static_cast<std::size_t>(shape.class_of(v))] = x[2 * j] * truth[shape.index(0, v)] +
                                                           x[2 * j + 1] * truth[shape.index(1, v)] +
                                                           truth[shape.intercept_index(v)];
        math::apply_softmax(s, math::ReferenceClass::absent);
        double u = random.uniform();
        std::size_t c = 0;
        while (c + 1 < classes && (u -= s[c]) >= 0) ++c;
        p->labels[j] = static_cast<ClassId>(c);
      }
      p->problem.labels = p->labels;
      const auto found =
          sample(p->problem, {.chains = 1, .per_chain = thin * kept, .warmup = 150, .seed = set + 1});
      for (std::size_t i = 0; i < truth.size(); ++i) {
        if (i % shape.stride() >= shape.num_vectors()) continue;
        std::size_t rank = 0;
        for (std::size_t k = 0; k < kept; ++k)
          rank += static_cast<double>(found.samples[i * thin * kept + k * thin]) < truth[i] ? 1 : 0;
        ++counts[rank * bins / (kept + 1)];
        ++total;
      }
    }
  double chi2 = 0;
  const double expected = total / bins;
  for (const double count : counts) chi2 += (count - expected) * (count - expected) / expected;
  EXPECT_LT(chi2, 27.9) << testing::PrintToString(counts);  // 9 degrees of freedom, one in a thousand
}

INSTANTIATE_TEST_SUITE_P(
    Priors, Calibration,
    testing::Values(std::pair<const char*, prior::AnyPrior>{"gaussian", prior::Gaussian::from_variance(1.5)},
                    std::pair<const char*, prior::AnyPrior>{"laplace", prior::Laplace::from_variance(1.0)},
                    std::pair<const char*, prior::AnyPrior>{"cauchy", prior::Cauchy::from_scale(0.7)}),
    [](const auto& test) { return std::string(test.param.first); });

}  // namespace
}  // namespace lazylogit::bayes
