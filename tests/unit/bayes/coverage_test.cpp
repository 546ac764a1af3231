// On data simulated from the prior, 90 % intervals hold the truth 90 % of the time: of coefficients, and of probabilities
// of new rows.
#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/bayes/predictive.hpp"
#include "lazylogit/math/softmax.hpp"
#include "support/fitted_problem.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::bayes {
namespace {

constexpr std::size_t features = 3, new_rows = 4;

struct Coverage {
  double covered = 0, total = 0;
  void add(bool inside) { covered += inside ? 1 : 0, total += 1; }
  double rate() const { return covered / total; }
};

std::vector<double> true_probabilities(const model::Shape& shape, const math::Vector& truth,
                                       const double* x) {
  std::vector<double> s(shape.num_classes, 0.0);
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    for (std::size_t i = 0; i < features; ++i)
      s[static_cast<std::size_t>(shape.class_of(v))] += x[i] * truth[shape.index(i, v)];
  math::apply_softmax(s, math::ReferenceClass::absent);
  return s;
}

data::Rows random_rows(Random& random) {
  data::Rows rows;
  Buffer<double> values;
  for (std::size_t r = 0; r < new_rows; ++r) {
    for (std::size_t i = 0; i < features; ++i) {
      rows.x.ids.push_back(static_cast<FeatureId>(i));
      values.push_back(random.normal());
    }
    rows.x.row_offsets.push_back(rows.x.ids.size());
  }
  rows.x.values = std::move(values);
  rows.x.num_features = features;
  return rows;
}

// n is at least 20 times the number of coefficients.
void simulate(model::Shape shape, std::size_t rows, std::size_t sets, Coverage& coefficients,
              Coverage& predictions) {
  for (std::size_t set = 0; set < sets; ++set) {
    auto p = test::make_sparse_problem(
        {.num_rows = rows, .num_features = features, .density = 1, .shape = shape, .seed = 1000 + set},
        prior::Gaussian{1.0});
    const model::Shape& full = p->problem.shape;
    Random random(77 + set);
    model::Model model;
    model.shape = full;
    math::Vector truth(full.size(), 0.0);
    for (std::size_t i = 0; i < truth.size(); ++i)
      if (i % full.stride() < full.num_vectors()) truth[i] = random.normal();
    const auto& values = std::get<Buffer<double>>(p->x.values);
    for (std::size_t j = 0; j < rows; ++j) {
      const auto q = true_probabilities(full, truth, values.data() + j * features);
      double u = random.uniform();
      std::size_t c = 0;
      while (c + 1 < q.size() && (u -= q[c]) >= 0) ++c;
      p->labels[j] = static_cast<ClassId>(c);
    }
    model.coefficients = test::optimum(p->problem);
    model.posterior =
        approximate_posterior(p->problem, model.coefficients, test::record_of(p->problem, model.coefficients),
                              {.kind = model::PosteriorKind::full}, {}, {});
    for (const std::uint64_t i : model.posterior->coordinates)
      coefficients.add(std::abs(truth[i] - model.coefficients[i]) <=
                       1.6448536269514722 * std::sqrt(model.posterior->variance[i]));
    const data::Rows fresh = random_rows(random);
    const model::Predictor predictor(model);
    model::Predictions out;
    PosteriorPredictor(predictor, {.intervals = true, .level = 0.9})
        .predict(fresh, {0, new_rows}, model::Predictor::Detail::probabilities, out);
    const auto& x = std::get<Buffer<double>>(fresh.x.values);
    for (std::size_t r = 0; r < new_rows; ++r) {
      const auto q = true_probabilities(full, truth, x.data() + r * features);
      for (std::size_t c = 0; c < q.size(); ++c)
        predictions.add(out.class_lower[r * q.size() + c] <= q[c] &&
                        q[c] <= out.class_upper[r * q.size() + c]);
    }
  }
}

TEST(Coverage, OfTwoClasses) {
  Coverage coefficients, predictions;
  simulate({.num_classes = 2, .reference = ClassId{0}, .has_intercept = false}, 100, 2000, coefficients,
           predictions);
  EXPECT_NEAR(coefficients.rate(), 0.9, 0.02) << predictions.rate();
  EXPECT_NEAR(predictions.rate(), 0.9, 0.02);
}

TEST(Coverage, OfThreeClasses) {
  Coverage coefficients, predictions;
  simulate({.num_classes = 3, .has_intercept = false}, 180, 500, coefficients, predictions);
  EXPECT_NEAR(coefficients.rate(), 0.9, 0.02) << predictions.rate();
  EXPECT_NEAR(predictions.rate(), 0.9, 0.02);
}

}  // namespace
}  // namespace lazylogit::bayes
