#include "lazylogit/eval/evaluator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "lazylogit/eval/metrics.hpp"
#include "lazylogit/eval/report.hpp"

namespace lazylogit::eval {
namespace {

// A model that gives row i the scores scores[i]: a feature for each row, a coefficient for each score.
struct Fixture {
  model::Model model;
  data::Rows rows;

  Fixture(const std::vector<std::vector<double>>& scores, const std::vector<ClassId>& labels) {
    const std::size_t n = scores.size(), vectors = scores[0].size();
    const bool two = vectors == 1;
    model.shape = {n, two ? 2 : vectors, two ? std::optional<ClassId>(0) : std::nullopt, false};
    model.coefficients.assign(model.shape.size(), 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t v = 0; v < vectors; ++v) model.coefficients[model.shape.index(i, v)] = scores[i][v];
    std::vector<std::string> names;
    for (std::size_t c = 0; c < model.shape.num_classes; ++c)
      names.push_back(std::string(1, static_cast<char>('a' + c)));
    model.classes = data::ClassTable::from_ordered(names);
    rows.x.num_features = n;
    for (std::size_t i = 0; i < n; ++i) {
      rows.x.ids.push_back(static_cast<FeatureId>(i));
      rows.x.row_offsets.push_back(i + 1);
      rows.labels.push_back(labels[i]);
    }
  }

  Evaluation evaluate(EvaluatorOptions options = {}) const {
    const model::Predictor predictor(model);
    Evaluator evaluator(predictor, options);
    evaluator.add(rows);
    return evaluator.finish();
  }
};

Fixture two_classes() {
  std::vector<std::vector<double>> scores;
  for (const double s : {-2.0, -1.5, -1.5, -0.25, 0.0, 0.125, 0.5, 0.5, 1.0, 1.75, 2.5, 3.0})
    scores.push_back({s});
  return {scores, {0, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0}};
}

Fixture three_classes() {
  return {{{1, 0, -1},
           {.5, .25, 0},
           {0, 2, 1},
           {-1, .5, .75},
           {2, 2.5, -1},
           {0, .1, 3},
           {1, .9, .8},
           {-2, 0, 1.5},
           {.3, .2, .1},
           {0, -1, .5}},
          {0, 1, 1, 2, 0, 2, 2, 2, 0, 0}};
}

TEST(Evaluator, AgreesWithScikitLearnOnTwoClasses) {
  const Evaluation e = two_classes().evaluate();
  EXPECT_NEAR(*e.accuracy, 0.5833333333333334, 1e-14);
  EXPECT_NEAR(*e.log_loss, 0.7587964245789377, 1e-14);
  EXPECT_NEAR(*e.macro_f1, 0.5804195804195804, 1e-14);
  EXPECT_NEAR(*e.micro_f1, 0.5833333333333334, 1e-14);
  EXPECT_NEAR(*e.macro_precision, 0.5857142857142856, 1e-14);
  EXPECT_NEAR(*e.macro_recall, 0.5833333333333333, 1e-14);
  EXPECT_NEAR(*e.auc, 0.6666666666666667, 1e-14);
  EXPECT_NEAR(*e.brier, 0.24809843452939187, 1e-14);
  EXPECT_NEAR(*e.brier_sum, 2 * 0.24809843452939187, 1e-14);
  EXPECT_NEAR(*e.entropy, 0.5143151641522327, 1e-14);
  EXPECT_NEAR(*e.expected_calibration_error, 0.3014691616235879, 1e-14);
  EXPECT_EQ(*e.majority_accuracy, 0.5);
}

TEST(Evaluator, AnEmptyBinOfTheCalibrationHasNeitherMeanNorAccuracy) {
  const Fixture fixture = two_classes();
  const auto bins =
      nlohmann::json::parse(report_json(fixture.evaluate(), fixture.model.classes))["calibration"];
  std::size_t empty = 0;
  for (const auto& bin : bins) {
    const bool none = bin["weight"] == 0.0;
    empty += none ? 1 : 0;
    EXPECT_EQ(bin["mean_probability"].is_null(), none);
    EXPECT_EQ(bin["accuracy"].is_null(), none);
  }
  EXPECT_EQ(bins.size(), 15u);
  EXPECT_GT(empty, 0u);
}

TEST(Evaluator, RespectsWeights) {
  Fixture fixture = two_classes();
  for (const double w : {1.0, 2.0, 1.0, .5, 1.0, 1.0, 3.0, 1.0, 1.0, .25, 1.0, 2.0})
    fixture.rows.weights.push_back(w);
  const Evaluation e = fixture.evaluate();
  EXPECT_NEAR(*e.accuracy, 0.5932203389830508, 1e-14);
  EXPECT_NEAR(*e.log_loss, 0.874276194582778, 1e-14);
  EXPECT_NEAR(*e.macro_f1, 0.5874125874125874, 1e-14);
  EXPECT_NEAR(*e.macro_precision, 0.6019656019656019, 1e-14);
  EXPECT_NEAR(*e.macro_recall, 0.5954022988505747, 1e-14);
  EXPECT_NEAR(*e.auc, 0.6045977011494252, 1e-14);
  EXPECT_NEAR(*e.brier, 0.27733210024076427, 1e-14);
  EXPECT_NEAR(*e.entropy, 0.5088959616413576, 1e-14);
  EXPECT_NEAR(*e.expected_calibration_error, 0.308145505373198, 1e-14);
}

TEST(Evaluator, AgreesWithScikitLearnOnThreeClasses) {
  const Evaluation e = three_classes().evaluate();
  EXPECT_NEAR(*e.accuracy, 0.6, 1e-14);
  EXPECT_NEAR(*e.log_loss, 0.7229890027425488, 1e-14);
  EXPECT_NEAR(*e.macro_f1, 0.5833333333333334, 1e-14);
  EXPECT_NEAR(*e.auc, 0.8194444444444445, 1e-14);
  EXPECT_NEAR(*e.brier, 0.44116296570895897, 1e-14);
  EXPECT_NEAR(*e.brier_sum, 0.44116296570895897, 1e-14);
  EXPECT_NEAR(*e.entropy, 0.8509913418162988, 1e-14);
  const auto object = nlohmann::json::parse(report_json(e, three_classes().model.classes));
  EXPECT_EQ(object["confusion_matrix"], nlohmann::json::parse("[[2.0,1.0,1.0],[1.0,1.0,0.0],[1.0,0.0,3.0]]"));
}

TEST(Evaluator, AWeightOfTwoIsTheRowTwiceAndAWeightOfZeroIsNoRow) {
  const std::vector<std::vector<double>> scores{{1.0}, {-1.0}, {0.5}, {0.25}};
  Fixture weighted(scores, {1, 1, 0, 0});
  for (const double w : {2.0, 1.0, 0.0, 1.0}) weighted.rows.weights.push_back(w);
  const Evaluation a = weighted.evaluate();
  const Evaluation b = Fixture({{1.0}, {1.0}, {-1.0}, {0.25}}, {1, 1, 1, 0}).evaluate();
  EXPECT_EQ(a.rows, 3u);
  for (const Metric& metric : metrics())
    EXPECT_NEAR(metric.get(a).value(), metric.get(b).value(), 1e-15) << metric.name;
}

TEST(Evaluator, UnknownLabelsAreWrongDecisionsAndLeftOutOfTheLogLoss) {
  Fixture fixture({{2.0}, {-2.0}, {2.0}}, {1, 0, unknown_class});
  const Evaluation e = fixture.evaluate();
  EXPECT_EQ(e.unknown_rows, 1u);
  EXPECT_DOUBLE_EQ(*e.accuracy, 2.0 / 3);
  EXPECT_DOUBLE_EQ(*e.log_loss, std::log1p(std::exp(-2.0)));
  EXPECT_DOUBLE_EQ(*e.classes[1].precision(), 0.5);
  EXPECT_NE(report_text(e, fixture.model.classes).find("(unknown)"), std::string::npos);
}

TEST(Evaluator, LogLossIsNeverClipped) {
  const Evaluation e = Fixture({{1e6}, {-1.0}}, {0, 0}).evaluate();
  EXPECT_DOUBLE_EQ(*e.log_loss, (1e6 + std::log1p(std::exp(-1.0))) / 2);
}

TEST(Evaluator, BlocksChangeNoBit) {
  const Fixture fixture = three_classes();
  const model::Predictor predictor(fixture.model);
  Evaluator evaluator(predictor);
  for (std::size_t i = 0; i < fixture.rows.num_rows(); ++i) {
    data::Rows one;
    one.x.num_features = fixture.rows.x.num_features;
    one.x.ids.push_back(static_cast<FeatureId>(i));
    one.x.row_offsets.push_back(1);
    one.labels.push_back(fixture.rows.labels[i]);
    evaluator.add(one);
  }
  EXPECT_EQ(report_json(evaluator.finish(), fixture.model.classes),
            report_json(fixture.evaluate(), fixture.model.classes));
}

TEST(Evaluator, LeavesTheAucOutWhenScoresDoNotFit) {
  const Evaluation e = three_classes().evaluate({.score_memory = 100});
  EXPECT_FALSE(e.auc.has_value());
  EXPECT_TRUE(e.auc_left_out);
  EXPECT_TRUE(e.log_loss.has_value());
}

TEST(Evaluator, WithoutRowsThereAreNoNumbers) {
  const Fixture fixture = two_classes();
  const model::Predictor predictor(fixture.model);
  const Evaluation e = Evaluator(predictor).finish();
  for (const Metric& metric : metrics()) EXPECT_FALSE(metric.get(e).has_value()) << metric.name;
  EXPECT_TRUE(nlohmann::json::parse(report_json(e, fixture.model.classes))["log_loss"].is_null());
}

TEST(Evaluator, OneKindOfLabelHasNoAuc) {
  EXPECT_FALSE(Fixture({{1.0}, {2.0}}, {1, 1}).evaluate().auc.has_value());
}

TEST(Report, TextNamesEveryMetricAndTheWorstConfusions) {
  const Fixture fixture = three_classes();
  const std::string text = report_text(fixture.evaluate(), fixture.model.classes);
  for (const Metric& metric : metrics()) {
    std::string name = metric.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    EXPECT_NE(text.find("\n" + name + " "), std::string::npos) << name;
  }
  EXPECT_NE(text.find("1  a taken for b\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace lazylogit::eval
