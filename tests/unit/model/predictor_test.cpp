#include "lazylogit/model/predictor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/base/parallel.hpp"
#include "lazylogit/model/explain.hpp"

namespace lazylogit::model {
namespace {

constexpr std::size_t num_features = 30;

Model make_model(std::size_t classes, std::optional<ClassId> reference, bool intercept = true) {
  Model model;
  model.shape = {num_features, classes, reference, intercept};
  model.coefficients.assign(model.shape.size(), 0.0);
  for (std::size_t f = 0; f < model.shape.num_rows(); ++f)
    for (std::size_t v = 0; v < model.shape.num_vectors(); ++v)
      model.coefficients[model.shape.index(f, v)] = std::sin(static_cast<double>(3 * f + 7 * v + 1));
  return model;
}

data::Rows make_rows(std::size_t count, std::size_t classes) {
  data::Rows rows;
  rows.x.num_features = num_features;
  Buffer<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t f = i % 3; f < num_features; f += 1 + i % 5) {
      rows.x.ids.push_back(static_cast<FeatureId>(f));
      values.push_back(std::cos(static_cast<double>(i * 31 + f)));
    }
    rows.x.row_offsets.push_back(rows.x.ids.size());
    rows.labels.push_back(i % 7 == 0 ? unknown_class : static_cast<ClassId>(i % classes));
  }
  rows.x.values = std::move(values);
  return rows;
}

// The probabilities of a row from its class scores, in long double.
std::vector<long double> softmax_of(const double* scores, std::size_t classes) {
  std::vector<long double> p(classes);
  long double sum = 0;
  for (std::size_t c = 0; c < classes; ++c) sum += p[c] = std::exp(static_cast<long double>(scores[c]));
  for (auto& value : p) value /= sum;
  return p;
}

struct ShapeCase {
  std::size_t classes;
  std::optional<ClassId> reference;
};

class PredictorShapes : public testing::TestWithParam<ShapeCase> {};

TEST_P(PredictorShapes, DecisionsProbabilitiesAndLogProbabilitiesFollowFromTheScores) {
  const auto [classes, reference] = GetParam();
  const Model model = make_model(classes, reference);
  const Predictor predictor(model);
  const data::Rows rows = make_rows(2500, classes);
  std::vector<double> scores(rows.num_rows() * classes);
  predictor.scores(rows, scores);
  Predictions full, short_form;
  predictor.predict(rows, Predictor::Detail::probabilities, full);
  predictor.predict(rows, Predictor::Detail::decisions, short_form);
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    const double* row = scores.data() + i * classes;
    const auto p = softmax_of(row, classes);
    const auto best = static_cast<std::size_t>(std::max_element(row, row + classes) - row);
    ASSERT_EQ(full.best[i], static_cast<ClassId>(best));
    ASSERT_EQ(short_form.best[i], full.best[i]);
    ASSERT_NEAR(full.best_probability[i], static_cast<double>(p[best]), 1e-13);
    ASSERT_NEAR(short_form.best_probability[i], full.best_probability[i], 1e-15);
    for (std::size_t c = 0; c < classes; ++c)
      ASSERT_NEAR(full.probabilities[i * classes + c], static_cast<double>(p[c]), 1e-13);
    if (rows.labels[i] == unknown_class)
      ASSERT_TRUE(std::isnan(full.label_log_probability[i]));
    else
      ASSERT_NEAR(full.label_log_probability[i],
                  static_cast<double>(std::log(p[static_cast<std::size_t>(rows.labels[i])])), 1e-12);
  }
}

TEST_P(PredictorShapes, ThreadsAndIntervalsChangeNoBit) {
  const auto [classes, reference] = GetParam();
  const Model model = make_model(classes, reference);
  const Predictor predictor(model);
  const data::Rows rows = make_rows(5000, classes);
  Predictions one, many, part;
  {
    const ThreadLimit limit(1);
    predictor.predict(rows, Predictor::Detail::probabilities, one);
  }
  {
    const ThreadLimit limit(5);
    predictor.predict(rows, Predictor::Detail::probabilities, many);
  }
  predictor.predict(rows, {1234, 1300}, Predictor::Detail::probabilities, part);
  const auto same = [](std::span<const double> a, std::span<const double> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  };
  EXPECT_TRUE(same(one.probabilities.span(), many.probabilities.span()));
  EXPECT_TRUE(
      same(one.probabilities.span().subspan(1234 * classes, 66 * classes), part.probabilities.span()));
}

INSTANTIATE_TEST_SUITE_P(Shapes, PredictorShapes,
                         testing::Values(ShapeCase{2, 0}, ShapeCase{2, 1}, ShapeCase{2, std::nullopt},
                                         ShapeCase{3, 0}, ShapeCase{3, 2}, ShapeCase{3, std::nullopt},
                                         ShapeCase{5, std::nullopt}, ShapeCase{20, 7},
                                         ShapeCase{77, std::nullopt}));

TEST(Predictor, AddsTheOffsetToTheScoreOfTheSecondClass) {
  for (const auto reference :
       {std::optional<ClassId>(0), std::optional<ClassId>(1), std::optional<ClassId>()}) {
    const Model model = make_model(2, reference);
    const Predictor predictor(model);
    data::Rows rows = make_rows(3, 2);
    std::vector<double> plain(6), moved(6);
    predictor.scores(rows, plain);
    for (int i = 0; i < 3; ++i) rows.offsets.push_back(0.5 * i);
    predictor.scores(rows, moved);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(moved[2 * i + 1] - moved[2 * i],
                  plain[2 * i + 1] - plain[2 * i] + 0.5 * static_cast<double>(i), 1e-14);
  }
}

TEST(Predictor, RefusesRowsWithMoreFeaturesThanTheModel) {
  const Model model = make_model(2, 0);
  data::Rows rows = make_rows(3, 2);
  rows.x.num_features = num_features + 1;
  Predictions out;
  EXPECT_THROW(Predictor(model).predict(rows, Predictor::Detail::decisions, out), ConfigError);
}

TEST(Predictor, TakesTheFirstOfEqualClasses) {
  for (const auto reference :
       {std::optional<ClassId>(0), std::optional<ClassId>(1), std::optional<ClassId>()}) {
    Model model = make_model(2, reference);
    model.coefficients.assign(model.coefficients.size(), 0.0);
    Predictions out;
    Predictor(model).predict(make_rows(1, 2), Predictor::Detail::decisions, out);
    EXPECT_EQ(out.best[0], 0);
    EXPECT_EQ(out.best_probability[0], 0.5);
  }
}

TEST(Explain, ContributionsSumToTheMarginAndAreSortedByMagnitude) {
  for (const ShapeCase shape : {ShapeCase{2, 0}, ShapeCase{3, 1}, ShapeCase{5, std::nullopt}}) {
    const Model model = make_model(shape.classes, shape.reference);
    const data::Rows rows = make_rows(20, shape.classes);
    std::vector<double> scores(rows.num_rows() * shape.classes);
    Predictor(model).scores(rows, scores);
    for (std::size_t i = 0; i < rows.num_rows(); ++i) {
      std::vector<double> own(scores.begin() + static_cast<std::ptrdiff_t>(i * shape.classes),
                              scores.begin() + static_cast<std::ptrdiff_t>((i + 1) * shape.classes));
      const Explanation e = explain_row(model, rows, i, 1000);
      std::sort(own.begin(), own.end(), std::greater<>());
      EXPECT_NEAR(e.margin, own[0] - own[1], 1e-12);
      double sum = 0;
      for (std::size_t k = 0; k < e.contributions.size(); ++k) {
        sum += e.contributions[k].contribution;
        if (k == 0) continue;
        EXPECT_GE(std::fabs(e.contributions[k - 1].contribution), std::fabs(e.contributions[k].contribution));
      }
      EXPECT_NEAR(sum, e.margin, 1e-12);
      EXPECT_EQ(explain_row(model, rows, i, 2).contributions.size(), 2u);
    }
  }
}

}  // namespace
}  // namespace lazylogit::model
