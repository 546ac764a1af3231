// --standardize center and scale: implicit centring ends where columns end that were centred by hand, whatever the
// intercept's prior; units and origins of columns do not matter.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "lazylogit/base/random.hpp"
#include "lazylogit/data/feature_moments.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/model/score_covariance.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/recheck.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit {
namespace {

// Half of the columns are sparse; all have means and deviations of their own.
data::Dataset make_data(std::uint64_t seed, std::size_t num_classes, bool weighted = true) {
  constexpr std::size_t rows = 80, features = 5;
  Random random(seed);
  data::Dataset data;
  std::vector<std::string> labels;
  for (std::size_t c = 0; c < num_classes; ++c) labels.push_back("c" + std::to_string(c));
  data.classes = data::ClassTable::from_ordered(labels);
  for (std::size_t i = 0; i < features; ++i) data.features.append("x" + std::to_string(i));
  Buffer<double> values;
  for (std::size_t j = 0; j < rows; ++j) {
    double lean = random.normal();
    for (std::size_t i = 0; i < features; ++i) {
      if (i % 2 == 1 && random.below(3) != 0) continue;
      const double z = random.normal();
      lean += i == 2 ? z : 0;
      data.x.ids.push_back(static_cast<FeatureId>(i));
      values.push_back(static_cast<double>(i) * 3 - 4 + z * (1 + static_cast<double>(i)));
    }
    data.x.row_offsets.push_back(data.x.ids.size());
    const auto c = static_cast<std::size_t>(std::clamp((lean + 2) / 4 * static_cast<double>(num_classes), 0.0,
                                                       static_cast<double>(num_classes) - 1));
    data.labels.push_back(static_cast<ClassId>(c));
    if (weighted) data.weights.push_back(0.5 + random.uniform());
  }
  data.x.values = std::move(values);
  data.x.num_features = features;
  return data;
}

// Every entry as map(feature, value), written out.
template <class Map>
data::Dataset mapped(const data::Dataset& data, const Map& map) {
  data::Dataset dense = data;
  const std::size_t d = data.x.num_features;
  dense.x = {};
  dense.x.num_features = d;
  Buffer<double> values;
  for (std::size_t j = 0; j < data.num_rows(); ++j) {
    std::vector<double> row(d, 0.0);
    for (std::size_t k = data.x.row_offsets[j]; k < data.x.row_offsets[j + 1]; ++k)
      row[data.x.ids[k]] = data.x.value(k);
    for (std::size_t i = 0; i < d; ++i) {
      const double value = map(i, row[i]);
      if (value == 0) continue;
      dense.x.ids.push_back(static_cast<FeatureId>(i));
      values.push_back(value);
    }
    dense.x.row_offsets.push_back(dense.x.ids.size());
  }
  dense.x.values = std::move(values);
  return dense;
}

struct Form {
  bool intercept = true, prior_intercept = false;
};

train::TrainOptions options_of(const std::string& prior, const std::string& optimizer, Form form,
                               const std::string& standardize) {
  train::TrainOptions options;
  options.prior = prior;
  options.optimizer = optimizer;
  options.intercept = form.intercept;
  options.prior_intercept = form.prior_intercept;
  options.standardize = standardize;
  options.gap = 1e-12;
  if (prior == "elastic-net") options.l1 = 0.5, options.l2 = 0.7;
  return options;
}

train::TrainResult fit(data::Dataset data, const train::TrainOptions& options) {
  optim::Observer nobody;
  return train::train(data, options, nullptr, nullptr, nobody, silent_log(), {});
}

double intercept_of(const model::Model& model, std::size_t v) {
  return model.shape.has_intercept ? model.coefficients[model.shape.intercept_index(v)] : 0;
}

// The model of standardized columns `other`, in original units, is `model`; free intercepts of all classes up to a common
// shift, which nothing determines.
void expect_same(const model::Model& model, const model::Model& other, const data::FeatureMoments& moments,
                 double tolerance) {
  double shift = 0;
  for (std::size_t v = 0; v < model.shape.num_vectors(); ++v) {
    double intercept = intercept_of(other, v);
    for (std::size_t i = 0; i < model.shape.num_features; ++i) {
      const double b = other.coefficients[other.shape.index(i, v)] / moments.deviations[i];
      EXPECT_NEAR(model.coefficients[model.shape.index(i, v)], b, tolerance);
      intercept -= b * moments.means[i];
    }
    if (v == 0 && model.centers.empty() && !model.shape.reference) shift = intercept_of(model, v) - intercept;
    EXPECT_NEAR(intercept_of(model, v), intercept + shift, 10 * tolerance);
  }
}

const Form forms[] = {{true, true}, {false, false}, {true, false}};

TEST(Centering, EveryBatchOptimizerEndsWhereColumnsCentredByHandEnd) {
  for (const std::size_t classes : {2U, 3U})
    for (const Form form : forms)
      for (const char* prior : {"gaussian", "laplace", "elastic-net"}) {
        const data::Dataset data = make_data(classes, classes);
        const data::FeatureMoments moments = data::feature_moments(data.x, data.weights.span());
        const data::Dataset by_hand = mapped(
            data, [&](std::size_t i, double x) { return (x - moments.means[i]) / moments.deviations[i]; });
        const train::TrainResult expected = fit(by_hand, options_of(prior, "newton", form, "none"));
        for (const optim::OptimizerEntry& entry : optim::optimizers()) {
          const bool slow = entry.name == "gd";  // it goes there, but takes its time
          if (entry.stochastic || entry.refuses(prior::PriorTable(
                                      train::make_prior(options_of(prior, "auto", form, "none")), 1, 1)))
            continue;
          train::TrainOptions options = options_of(prior, std::string(entry.name), form, "center");
          if (slow) options.gap = 1e-7;
          const train::TrainResult found = fit(data, options);
          SCOPED_TRACE(std::string(entry.name) + " " + prior + " " + std::to_string(classes) +
                       (form.intercept ? form.prior_intercept ? " prior on the intercept" : " free intercept"
                                       : " no intercept"));
          EXPECT_NEAR(found.model.record.error(), expected.model.record.error(),
                      (slow ? 1e-6 : 1e-8) * expected.model.record.error());
          if (slow) continue;
          const bool newton = entry.name == "newton" || entry.name == "irls";
          expect_same(found.model, expected.model, moments, newton ? 1e-8 : 1e-5);
          ASSERT_TRUE(found.model.record.certificate && found.model.record.certificate->relative_gap);
          EXPECT_LE(*found.model.record.certificate->relative_gap, 1e-11);
        }
      }
}

// Under priors with a kink intercepts rest at it, from where the way to original units and back must not lead off.
TEST(Centering, TheSavedModelIsFoundToBeTheOptimum) {
  for (const Form form : forms)
    for (const char* prior : {"uniform", "gaussian", "laplace", "elastic-net", "cauchy"})
      for (const double variance : {1.0, 0.01})
        for (const bool symmetric : {false, true}) {
          const bool uniform = std::string(prior) == "uniform";
          if (uniform && (form.prior_intercept || symmetric)) continue;
          SCOPED_TRACE(std::string(prior) + (form.prior_intercept ? " on the intercept" : ""));
          const data::Dataset data = make_data(7, 3);
          train::TrainOptions options = options_of(prior, "newton", form, "center");
          options.symmetric = symmetric;
          if (uniform) options.gap = 1e-9;
          if (options.prior == "gaussian" || options.prior == "laplace") options.variance = variance;
          if (options.prior == "elastic-net") options.l1 = 0.5 / variance;
          const train::TrainResult result = fit(data, options);
          EXPECT_EQ(result.model.centers.empty(), form.intercept && !form.prior_intercept);
          EXPECT_TRUE(result.model.shape.has_intercept);
          const std::string bytes = model::serialize(result.model);
          const model::Model model = model::deserialize(bytes, "m");
          const train::Recheck check = train::recheck(model, data, silent_log());
          EXPECT_NEAR(check.parts.error(), result.model.record.error(), 1e-9);
          EXPECT_TRUE(check.optimal);
          EXPECT_NEAR(check.certificate.worst_violation, result.model.record.certificate->worst_violation,
                      1e-6);
          if (options.prior == "cauchy") continue;
          ASSERT_TRUE(check.certificate.relative_gap);
          EXPECT_LE(*check.certificate.relative_gap, 1e-9);
        }
}

TEST(Centering, TheWholeCovarianceIsThatOfColumnsCentredByHand) {
  for (const Form form : forms) {
    const data::Dataset data = make_data(9, 2);
    const data::FeatureMoments moments = data::feature_moments(data.x, data.weights.span());
    train::TrainOptions options = options_of("gaussian", "newton", form, "center");
    options.posterior = "full";
    const model::Model model = fit(data, options).model;
    options.standardize = "none";
    const model::Model by_hand =
        fit(mapped(data,
                   [&](std::size_t i, double x) { return (x - moments.means[i]) / moments.deviations[i]; }),
            options)
            .model;
    EXPECT_NEAR(*model.posterior->log_evidence, *by_hand.posterior->log_evidence, 1e-7);
    // Var of the score of the mean row: that of the intercept of centred columns.
    const auto& full = *model.posterior;
    for (std::size_t i = 0; i < moments.means.size(); ++i)
      EXPECT_NEAR(full.variance[i] * moments.deviations[i] * moments.deviations[i],
                  by_hand.posterior->variance[i], 1e-8);
    double variance = 0;
    const auto x_of = [&](std::uint64_t k) { return k < moments.means.size() ? moments.means[k] : 1.0; };
    for (std::size_t a = 0; a < full.coordinates.size(); ++a)
      for (std::size_t b = 0; b < full.coordinates.size(); ++b) {
        const auto [low, high] = std::minmax(a, b);
        variance += x_of(full.coordinates[a]) * x_of(full.coordinates[b]) *
                    full.covariance[high * (high + 1) / 2 + low];
      }
    const double expected =
        form.intercept ? by_hand.posterior->variance[by_hand.shape.intercept_index(0)] : 0;
    EXPECT_NEAR(variance, expected, 1e-8);
  }
  train::TrainOptions options = options_of("gaussian", "newton", {true, true}, "center");
  options.posterior = "samples";
  EXPECT_THROW(fit(make_data(9, 2), options), ConfigError);
}

// Classes whose intercepts are pinned stand between others that are not: what is kept is still in order, and can be read.
TEST(Centering, InterceptsThatArePinnedForSomeClassesKeepThePosteriorInOrder) {
  const data::Dataset data = make_data(9, 3);
  const data::FeatureMoments moments = data::feature_moments(data.x, data.weights.span());
  const std::string file = testing::TempDir() + "/pinned.csv";
  std::ofstream(file) << "feature,class,mean,variance\n(intercept),c0,0,0\n(intercept),c2,0.5,0\n";
  train::TrainOptions options = options_of("gaussian", "newton", {true, true}, "center");
  options.prior_file = file;
  options.posterior = "full";
  const model::Model model = fit(data, options).model;
  const model::Model read = model::deserialize(model::serialize(model), "model");
  EXPECT_EQ(read.posterior->coordinates, model.posterior->coordinates);
  options.standardize = "none";
  const data::Dataset centred =
      mapped(data, [&](std::size_t i, double x) { return (x - moments.means[i]) / moments.deviations[i]; });
  const model::Model by_hand = fit(centred, options).model;
  const model::ScoreCovariance covariance(read), expected(by_hand);
  model::ScoreCovariance::Scratch scratch;
  std::vector<double> found(9), right(9);
  for (std::size_t j = 0; j < data.num_rows(); ++j) {
    data.x.visit_rows([&](const auto& rows) { covariance(rows.row(j), found.data(), scratch); });
    centred.x.visit_rows([&](const auto& rows) { expected(rows.row(j), right.data(), scratch); });
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], right[k], 1e-8);
  }
}

// Standard errors, and the variances of the scores of every row.
TEST(Centering, OtherPosteriorsAreThoseOfColumnsCentredByHand) {
  for (const Form form : forms)
    for (const std::size_t classes : {2u, 3u})
      for (const char* kind : {"diagonal", "low-rank"}) {
        const data::Dataset data = make_data(9, classes);
        const data::FeatureMoments moments = data::feature_moments(data.x, data.weights.span());
        train::TrainOptions options = options_of("gaussian", "newton", form, "center");
        options.posterior = kind;
        if (std::string(kind) == "low-rank") options.posterior_rank = 4;
        const model::Model model = fit(data, options).model;
        options.standardize = "none";
        const data::Dataset centred = mapped(
            data, [&](std::size_t i, double x) { return (x - moments.means[i]) / moments.deviations[i]; });
        const model::Model by_hand = fit(centred, options).model;
        EXPECT_EQ(model.centers.empty(), form.intercept && !form.prior_intercept);
        if (model.centers.empty()) continue;  // a free intercept takes up the means; its variance is another
        const double tolerance =
            std::string(kind) == "diagonal" ? 1e-8 : 2e-5;  // the factor is single precision
        EXPECT_NEAR(*model.posterior->log_evidence, *by_hand.posterior->log_evidence, 1e-7);
        EXPECT_NEAR(model.posterior->effective_parameters, by_hand.posterior->effective_parameters,
                    std::string(kind) == "diagonal" ? 1e-8 : 1e-4);
        const std::size_t vectors = model.shape.num_vectors();
        for (std::size_t i = 0; i < moments.means.size(); ++i)
          for (std::size_t v = 0; v < vectors; ++v)
            EXPECT_NEAR(model.posterior->variance[model.shape.index(i, v)] * moments.deviations[i] *
                            moments.deviations[i],
                        by_hand.posterior->variance[by_hand.shape.index(i, v)], tolerance)
                << kind << classes;
        const model::ScoreCovariance covariance(model), expected(by_hand);
        model::ScoreCovariance::Scratch scratch;
        std::vector<double> found(vectors * vectors), right(vectors * vectors);
        for (std::size_t j = 0; j < data.num_rows(); ++j) {
          data.x.visit_rows([&](const auto& rows) { covariance(rows.row(j), found.data(), scratch); });
          centred.x.visit_rows([&](const auto& rows) { expected(rows.row(j), right.data(), scratch); });
          for (std::size_t k = 0; k < found.size(); ++k)
            EXPECT_NEAR(found[k], right[k], tolerance * (1 + right[0])) << kind << classes;
        }
      }
}

TEST(Centering, WhatWalksRowsRefusesWithoutAFreeIntercept) {
  for (const char* optimizer : {"sgd", "saga"}) {
    train::TrainOptions options = options_of("gaussian", optimizer, {true, true}, "center");
    options.gap = train::TrainOptions{}.gap;
    EXPECT_THROW(fit(make_data(3, 2), options), ConfigError) << optimizer;
    options.intercept = options.prior_intercept = false;
    EXPECT_THROW(fit(make_data(3, 2), options), ConfigError) << optimizer;
  }
  // auto finds one that does, under priors with kinks too.
  EXPECT_NO_THROW(fit(make_data(3, 3), options_of("laplace", "auto", {true, true}, "center")));
}

TEST(Centering, AConstantAddedToAFeatureChangesNothing) {
  for (const Form form : forms)
    for (const char* prior : {"gaussian", "laplace"}) {
      const data::Dataset data = make_data(11, 2);
      const data::Dataset moved = mapped(data, [](std::size_t i, double x) { return i == 1 ? x + 7 : x; });
      const model::Model a = fit(data, options_of(prior, "auto", form, "center")).model;
      const model::Model b = fit(moved, options_of(prior, "auto", form, "center")).model;
      EXPECT_NEAR(a.record.error(), b.record.error(), 1e-9 * a.record.error());
      for (std::size_t i = 0; i < a.shape.num_features; ++i)
        EXPECT_NEAR(a.coefficients[i], b.coefficients[i], 1e-6);
      EXPECT_NEAR(intercept_of(a, 0), intercept_of(b, 0) + 7 * b.coefficients[1], 1e-5);
    }
}

TEST(Centering, ARescaledFeatureChangesNothingUnderScale) {
  for (const char* prior : {"gaussian", "laplace", "elastic-net", "cauchy"}) {
    const data::Dataset data = make_data(13, 2);
    const data::Dataset scaled = mapped(data, [](std::size_t i, double x) { return i == 3 ? 1000 * x : x; });
    train::TrainOptions options = options_of(prior, "auto", {true, false}, "scale");
    const model::Model a = fit(data, options).model, b = fit(scaled, options).model;
    EXPECT_NEAR(a.record.error(), b.record.error(), 1e-8 * a.record.error());
    EXPECT_NEAR(a.coefficients[3], 1000 * b.coefficients[3], 1e-5);
    options.standardize = "none";
    options.scale_prior = true;
    const model::Model c = fit(data, options).model;
    EXPECT_NEAR(a.record.error(), c.record.error(), 1e-8 * a.record.error());
    EXPECT_NEAR(a.coefficients[3], c.coefficients[3], 1e-6);
  }
}

}  // namespace
}  // namespace lazylogit
