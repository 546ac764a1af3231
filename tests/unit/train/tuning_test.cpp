#include "lazylogit/train/tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/data/folds.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/train/holdout.hpp"
#include "lazylogit/train/prepared.hpp"
#include "lazylogit/train/prior_path.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::train {
namespace {

// Ten features of different scales, three of which matter.
data::Dataset scaled_data(std::size_t num_rows, std::uint64_t seed, std::size_t num_classes = 2) {
  data::Dataset data;
  Random random(seed);
  Buffer<double> values;
  for (std::size_t j = 0; j < num_rows; ++j) {
    double score = random.normal();
    for (FeatureId i = 0; i < 10; ++i) {
      const double x = random.normal();
      score += i < 3 ? x : 0;
      data.x.ids.push_back(i);
      values.push_back(x * (1 + i));
    }
    data.x.row_offsets.push_back(data.x.ids.size());
    data.labels.push_back(score > 0.8 ? 1 : num_classes > 2 && score < -0.8 ? 2 : 0);
  }
  data.x.values = std::move(values);
  data.x.num_features = 10;
  for (int i = 0; i < 10; ++i) data.features.intern("x" + std::to_string(i));
  std::vector<std::string> names{"a", "b", "c"};
  names.resize(num_classes);
  data.classes = data::ClassTable::from_ordered(std::move(names));
  return data;
}

struct PointCounter final : TuneObserver {
  std::size_t points = 0;
  void on_point(const TunePoint&, std::size_t, std::size_t) override { ++points; }
};

Tuning tuned(data::Dataset& data, const TrainOptions& options, const TuneSettings& settings) {
  PointCounter observer;
  return tune(data, options, settings, observer, silent_log(), {});
}

double coefficient_total(data::Dataset data, const TrainOptions& options) {
  optim::Observer observer;
  const model::Model model = train(data, options, nullptr, nullptr, observer, silent_log(), {}).model;
  double total = 0;
  for (std::size_t i = 0; i < model.shape.num_features; ++i)
    for (std::size_t v = 0; v < model.shape.num_vectors(); ++v)
      total += std::abs(model.coefficients[model.shape.index(i, v)]);
  return total;
}

std::vector<double> path_of(data::Dataset& data, const TrainOptions& options) {
  const Prepared prepared = prepare(data, options, silent_log());
  return strength_path(prepared, data::feature_moments(data.x, prepared.weights).deviations, 20);
}

TEST(PriorPath, BeginsWhereTheFirstCoefficientLeavesZero) {
  for (const char* prior : {"laplace", "elastic-net"})
    for (const char* standardize : {"none", "scale"})
      for (const std::size_t classes : {2U, 3U}) {
        data::Dataset data = scaled_data(120, 4, classes);
        TrainOptions options;
        options.prior = prior;
        options.standardize = standardize;
        const double strongest = path_of(data, options).front();
        EXPECT_EQ(coefficient_total(data, with_strength(options, 1.0001 * strongest)), 0) << prior;
        EXPECT_GT(coefficient_total(data, with_strength(options, 0.99 * strongest)), 0) << prior;
      }
}

TEST(PriorPath, GoesFromNothingToEverythingForSmoothPriors) {
  for (const char* prior : {"gaussian", "cauchy"}) {
    data::Dataset data = scaled_data(120, 4);
    TrainOptions options;
    options.prior = prior;
    const std::vector<double> path = path_of(data, options);
    EXPECT_LT(coefficient_total(data, with_strength(options, path.front())), 0.01);
    const double loosest = coefficient_total(data, with_strength(options, path.back()));
    EXPECT_NEAR(loosest, coefficient_total(data, with_strength(options, 1e-3 * path.back())), 0.02 * loosest);
  }
}

TEST(PriorPath, NumbersAndStrengthsAreInverse) {
  for (const char* prior : {"gaussian", "laplace", "cauchy", "elastic-net"}) {
    TrainOptions options;
    options.prior = prior;
    const TrainOptions stronger = with_strength(options, 7);
    EXPECT_NEAR(strength_of(options, tuned_value(stronger)), 7, 1e-12) << prior;
  }
  TrainOptions uniform;
  uniform.prior = "uniform";
  EXPECT_THROW(tuned_option(uniform), ConfigError);
}

TEST(Tune, FoldLossesAreThoseOfFitsToTheOtherRows) {
  data::Dataset data = scaled_data(90, 7, 3);
  TrainOptions options;
  options.standardize = "none";
  TuneSettings settings;
  settings.values = {0.01, 0.3};
  settings.folds = 4;
  const Tuning tuning = tuned(data, options, settings);
  ASSERT_EQ(tuning.points.size(), 2U);
  EXPECT_LT(tuning.points[0].value, tuning.points[1].value);
  std::vector<std::size_t> rows(data.num_rows());
  for (std::size_t j = 0; j < rows.size(); ++j) rows[j] = j;
  const auto folds = data::stratified_folds(rows, data.labels.span(), 4, options.seed);
  for (const TunePoint& point : tuning.points) {
    ASSERT_EQ(point.fold_log_loss.size(), 4U);
    for (std::size_t f = 0; f < folds.size(); ++f) {
      std::vector<std::size_t> others;
      for (const std::size_t j : rows)
        if (std::find(folds[f].begin(), folds[f].end(), j) == folds[f].end()) others.push_back(j);
      data::Dataset part;
      static_cast<data::Rows&>(part) = data::copy_rows(data, others);
      part.classes = data.classes;
      for (std::size_t i = 0; i < 10; ++i) part.features.intern("x" + std::to_string(i));
      const data::Rows held_out = data::copy_rows(data, folds[f]);
      TrainOptions one = options;
      one.variance = point.value;
      optim::Observer observer;
      const model::Model model = train(part, one, nullptr, nullptr, observer, silent_log(), {}).model;
      EXPECT_NEAR(point.fold_log_loss[f], make_holdout_loss(held_out, model.shape)(model.coefficients), 5e-3);
    }
  }
}

TEST(Tune, ThreadsChangeNothing) {
  std::vector<Tuning> results;
  for (const std::size_t threads : {1U, 2U, 5U}) {
    const ThreadLimit limit(threads);
    data::Dataset data = scaled_data(100, 5);
    TrainOptions options;
    options.prior = "laplace";
    results.push_back(tuned(data, options, {.path = 12}));
  }
  for (const Tuning& other : results) {
    ASSERT_EQ(other.points.size(), results[0].points.size());
    for (std::size_t k = 0; k < other.points.size(); ++k)
      EXPECT_EQ(other.points[k].fold_log_loss, results[0].points[k].fold_log_loss);
  }
}

TEST(Tune, TheRuleOfOneStandardErrorTakesAStrongerPrior) {
  data::Dataset data = scaled_data(80, 9);
  TrainOptions options;
  options.prior = "laplace";
  const Tuning best = tuned(data, options, {.path = 25});
  const Tuning careful = tuned(data, options, {.path = 25, .one_standard_error = true});
  EXPECT_EQ(best.best, best.chosen);
  EXPECT_EQ(careful.best, best.best);
  EXPECT_LT(careful.chosen, careful.best);
  const TunePoint& chosen = careful.points[careful.chosen];
  const TunePoint& lowest = careful.points[careful.best];
  EXPECT_LE(chosen.log_loss, lowest.log_loss + lowest.log_loss_error);
  EXPECT_EQ(careful.options.variance, chosen.value);
}

TEST(Tune, FeaturesAreLimited) {
  data::Dataset data = scaled_data(200, 3);
  TrainOptions options;
  options.prior = "laplace";
  const Tuning tuning = tuned(data, options, {.path = 30, .max_features = 3});
  EXPECT_LE(*tuning.points[tuning.chosen].features, 3U);
  EXPECT_GT(*tuning.points[tuning.chosen].features, 0U);
  for (const TunePoint& point : tuning.points)
    if (*point.features <= 3) {
      EXPECT_GE(point.log_loss, tuning.points[tuning.chosen].log_loss);
    }
  options.prior = "gaussian";
  EXPECT_THROW(tuned(data, options, {.max_features = 3}), ConfigError);
}

TEST(Tune, EvidenceIsMaximised) {
  data::Dataset data = scaled_data(120, 8);
  TrainOptions options;
  const Tuning tuning = tuned(data, options, {.by = TuneBy::evidence, .path = 15});
  options.posterior = "diagonal";
  const auto evidence = [&](double variance) {
    data::Dataset copy = scaled_data(120, 8);
    TrainOptions one = options;
    one.variance = variance;
    optim::Observer observer;
    return *train(copy, one, nullptr, nullptr, observer, silent_log(), {}).model.posterior->log_evidence;
  };
  const double chosen = *tuning.options.variance, highest = evidence(chosen);
  EXPECT_NEAR(highest, *tuning.points[tuning.chosen].log_evidence, 1e-4);
  for (const double factor : {0.1, 0.5, 0.8, 1.25, 2.0, 10.0})
    EXPECT_LT(evidence(factor * chosen), highest) << factor;
}

TEST(Tune, AClassOfOneRowStaysInEveryFit) {
  data::Dataset data = scaled_data(60, 2, 3);
  for (ClassId& label : data.labels)
    if (label == 2) label = 0;
  data.labels[5] = 2;
  const Tuning tuning = tuned(data, {}, {.path = 8});
  for (const TunePoint& point : tuning.points) EXPECT_TRUE(std::isfinite(point.log_loss));
}

}  // namespace
}  // namespace lazylogit::train
