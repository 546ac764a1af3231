// Epochs in shards: the same bytes whatever the threads, and as good a model as one shard makes.
#include "lazylogit/optim/stochastic/sharded_learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::optim {
namespace {

// Features by Zipf's law; labels from a planted model.
struct Sample {
  data::SparseMatrix x;
  std::vector<ClassId> labels;
};
Sample make_sample(std::size_t num_rows, std::uint64_t seed) {
  constexpr std::size_t num_features = 300;
  Random random(seed);
  Sample sample;
  Buffer<float> values;
  for (std::size_t r = 0; r < num_rows; ++r) {
    double score = 0;
    for (FeatureId f = 0; f < num_features; ++f) {
      if (random.uniform() > 3.0 / (3 + f)) continue;
      const double x = 0.5 + random.uniform();
      sample.x.ids.push_back(f);
      values.push_back(static_cast<float>(x));
      score += x * (f % 5 < 2 ? 0.8 : -0.6);
    }
    sample.x.row_offsets.push_back(sample.x.ids.size());
    sample.labels.push_back(random.uniform() < 1 / (1 + std::exp(-score)) ? 1 : 0);
  }
  sample.x.values = std::move(values);
  sample.x.num_features = num_features;
  return sample;
}

struct Fit {
  explicit Fit(const Sample& sample, const prior::AnyPrior& of_all = prior::Gaussian::from_variance(1))
      : shape{.num_features = sample.x.num_features, .num_classes = 2, .reference = ClassId{0}},
        prior(of_all, shape.num_features, shape.size()),
        problem{.x = &sample.x,
                .labels = sample.labels,
                .weights = {},
                .offsets = {},
                .shape = shape,
                .prior = &prior} {}
  model::Shape shape;
  prior::PriorTable prior;
  objective::Problem problem;
};

math::Vector fit_shards(const objective::Problem& problem, std::uint64_t shards, std::uint64_t epochs,
                        bool shuffle = true) {
  StochasticSettings settings;
  settings.shards = shards;
  settings.shuffle = shuffle;
  std::vector<std::uint64_t> rows(problem.x->num_rows());
  std::iota(rows.begin(), rows.end(), 0);
  math::Vector b(problem.shape.size(), 0.0);
  ShardedLearner learner(problem, settings, rows, b);
  const Schedule schedule{.kind = ScheduleKind::inverse, .rate = 0.1, .anneal = 1};
  for (std::uint64_t epoch = 0; epoch < epochs; ++epoch) {
    const auto outcome = learner.learn_epoch(schedule, epoch, [] { return false; });
    EXPECT_TRUE(outcome.complete);
    EXPECT_EQ(outcome.examples, problem.x->num_rows());
    learner.finish(b);
  }
  return b;
}

double log_loss(const objective::Problem& problem, const math::Vector& b) {
  return -objective::evaluate_error(problem, b).log_likelihood / static_cast<double>(problem.x->num_rows());
}

TEST(ShardedLearner, ThreadsChangeNoByte) {
  const Sample sample = make_sample(6000, 1);
  const Fit fitted(sample);
  for (const bool shuffle : {true, false}) {
    const math::Vector expected = fit_shards(fitted.problem, 3, 3, shuffle);
    for (const std::size_t threads : {1U, 2U, 5U}) {
      const ThreadLimit limit(threads);
      EXPECT_EQ(fit_shards(fitted.problem, 3, 3, shuffle), expected);
    }
  }
}

TEST(ShardedLearner, MergedModelsAreAsGoodOnOtherRows) {
  const Sample sample = make_sample(8000, 1), other = make_sample(4000, 2);
  const Fit fitted(sample), held_out(other);
  const double one = log_loss(held_out.problem, fit_shards(fitted.problem, 1, 5));
  const double nothing = log_loss(held_out.problem, math::Vector(fitted.shape.size(), 0.0));
  for (const std::uint64_t shards : {2U, 4U}) {
    const double merged = log_loss(held_out.problem, fit_shards(fitted.problem, shards, 5));
    EXPECT_LT(merged, one + 0.01 * (nothing - one)) << shards;
  }
}

// Short steps over rare features: an average of eight shards would have come an eighth of the way.
TEST(ShardedLearner, RareFeaturesComeAsFarAsInOneShard) {
  Random random(9);
  Sample sample;
  constexpr std::size_t num_features = 4000;
  for (std::size_t r = 0; r < 16000; ++r) {
    double score = 0;
    for (int k = 0; k < 4; ++k) {
      const auto f = static_cast<FeatureId>(1000 * static_cast<std::uint64_t>(k) + random.below(1000));
      sample.x.ids.push_back(f);
      score += f % 2 == 0 ? 0.8 : -0.8;
    }
    sample.x.row_offsets.push_back(sample.x.ids.size());
    sample.labels.push_back(random.uniform() < 1 / (1 + std::exp(-score)) ? 1 : 0);
  }
  sample.x.num_features = num_features;
  const Fit fitted(sample);
  const double nothing = log_loss(fitted.problem, math::Vector(fitted.shape.size(), 0.0));
  const double one = log_loss(fitted.problem, fit_shards(fitted.problem, 1, 2));
  EXPECT_LT(log_loss(fitted.problem, fit_shards(fitted.problem, 8, 2)), one + 0.05 * (nothing - one));
}

// Features that are copies of each other settle together long before each would alone: sums of shards would go too far.
TEST(ShardedLearner, FeaturesThatGoTogetherDoNotGoTooFar) {
  Random random(10);
  Sample sample;
  constexpr std::size_t copies = 200;
  Buffer<float> values;
  for (std::size_t r = 0; r < 800; ++r) {
    const double x = random.normal();
    for (FeatureId f = 0; f < copies; ++f) {
      sample.x.ids.push_back(f);
      values.push_back(static_cast<float>(0.2 * x));
    }
    sample.x.row_offsets.push_back(sample.x.ids.size());
    sample.labels.push_back(random.uniform() < 1 / (1 + std::exp(-x)) ? 1 : 0);
  }
  sample.x.values = std::move(values);
  sample.x.num_features = copies;
  const Fit fitted(sample);
  const double one = log_loss(fitted.problem, fit_shards(fitted.problem, 1, 5));
  EXPECT_LT(log_loss(fitted.problem, fit_shards(fitted.problem, 8, 5)), one + 0.02);
}

// Where shards rest depends on how far they go between two merges, and so less and less on the number of shards.
TEST(ShardedLearner, ShardsApproachTheOptimumAsTheRateFalls) {
  const Sample sample = make_sample(3000, 3);
  const Fit fitted(sample);
  const double optimum =
      objective::evaluate_error(fitted.problem, fit_shards(fitted.problem, 1, 400)).error();
  const auto gap = [&](std::uint64_t epochs) {
    return objective::evaluate_error(fitted.problem, fit_shards(fitted.problem, 4, epochs)).error() /
               optimum -
           1;
  };
  const double late = gap(400);
  EXPECT_LT(late, 0.02);
  EXPECT_LT(late, 0.5 * gap(40));
}

TEST(ShardedLearner, ZerosOfAllShardsStayZeros) {
  const Sample sample = make_sample(3000, 5);
  const Fit fitted(sample, prior::Laplace::from_variance(1e-4));
  for (const std::uint64_t shards : {1U, 3U}) {
    const math::Vector b = fit_shards(fitted.problem, shards, 10);
    EXPECT_GT(std::count(b.begin(), b.end(), 0.0), 100) << shards;
  }
}

TEST(ShardedLearner, MoreShardsThanRows) {
  const Sample sample = make_sample(3, 4);
  const Fit fitted(sample);
  for (const double b : fit_shards(fitted.problem, 64, 2)) EXPECT_TRUE(std::isfinite(b));
}

}  // namespace
}  // namespace lazylogit::optim
