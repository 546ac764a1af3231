#include "lazylogit/objective/score_line.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/objective/likelihood.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

struct Form {
  model::Shape shape;
  bool offsets;
};

class ScoreLineForms : public testing::TestWithParam<Form> {};

TEST_P(ScoreLineForms, agrees_with_the_likelihood_along_a_direction) {
  const Form form = GetParam();
  const auto p = test::make_sparse_problem(
      {.num_rows = 90, .shape = form.shape, .weights = true, .offsets = form.offsets}, prior::Uniform{});
  const model::Shape& shape = p->problem.shape;
  Random random(5);
  math::Vector b(shape.size(), 0.0), d(shape.size(), 0.0);
  for (std::size_t i = 0; i < shape.num_rows(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      b[shape.index(i, v)] = random.normal();
      d[shape.index(i, v)] = random.normal();
    }
  Likelihood likelihood(p->problem);
  math::Vector gradient(shape.size());
  const double value = likelihood.value_and_gradient(b.data(), gradient.data());
  ScoreLine line(p->problem);
  EXPECT_NEAR(line.set_point(b), value, 1e-12 * value);
  for (std::size_t j = 0; j < p->x.num_rows(); ++j)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      double s = shape.has_intercept ? d[shape.intercept_index(v)] : 0.0;
      for (std::size_t k = p->x.row_offsets[j]; k < p->x.row_offsets[j + 1]; ++k)
        s += p->x.value(k) * d[shape.index(p->x.ids[k], v)];
      line.direction(v)[j] = s;
    }
  double slope = 0;
  for (std::size_t i = 0; i < d.size(); ++i) slope += gradient[i] * d[i];
  EXPECT_NEAR(line.slope(), slope, 1e-11 * std::abs(slope) + 1e-11);
  for (const double t : {0.3, 1.0}) {
    math::Vector there(b);
    for (std::size_t i = 0; i < d.size(); ++i) there[i] += t * d[i];
    const double expected = likelihood.value(there.data());
    EXPECT_NEAR(line.value_at(t), expected, 1e-12 * expected);
  }
  line.accept(1);
  EXPECT_EQ(line.direction(0)[3], 0.0);
  for (std::size_t i = 0; i < d.size(); ++i) b[i] += d[i];
  const double expected = likelihood.value(b.data());
  EXPECT_NEAR(line.value_at(0), expected, 1e-12 * expected);
}

// A step that is much too long: rows are held until the model, each vector by itself, is above the loss where it led.
TEST_P(ScoreLineForms, holds_rows_until_the_model_meets_their_losses) {
  const Form form = GetParam();
  const auto p =
      test::make_sparse_problem({.num_rows = 90, .shape = form.shape, .weights = true}, prior::Uniform{});
  const model::Shape& shape = p->problem.shape;
  Random random(9);
  math::Vector b(shape.size(), 0.0);
  for (std::size_t i = 0; i < shape.num_rows(); ++i)
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) b[shape.index(i, v)] = 6 * random.normal();
  ScoreLine line(p->problem);
  constexpr double damping = 0.01, promised = 1e-3;
  double foretold = line.set_point(b), held_part = 0;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    for (std::size_t j = 0; j < 90; ++j) line.direction(v)[j] = 30 * random.normal();
  foretold += line.slope();
  for (std::size_t j = 0; j < 90; ++j) {
    double mean = 0, square = 0;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      const double d = line.direction(v)[j], q = line.probabilities(v)[j];
      mean += q * d;
      square += (q + damping) * d * d;
    }
    foretold += 0.5 * line.weight(j) * (square - mean * mean);
  }
  const double there = line.value_at(1);
  RowHolds holds;
  EXPECT_GT(line.hold(damping, promised, holds), 0u);
  for (const std::size_t j : holds.rows())
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      held_part += 0.5 * line.weight(j) * holds.of(j)[v] * line.direction(v)[j] * line.direction(v)[j];
  EXPECT_GE(foretold + held_part, there - 90 * 1e-6 * promised - 1e-9 * there);
  EXPECT_EQ(line.hold(damping, 10 * promised, holds), 0u);  // nothing is left to hold
  line.forget_direction();
  EXPECT_EQ(line.direction(0)[3], 0.0);
}

INSTANTIATE_TEST_SUITE_P(forms, ScoreLineForms,
                         testing::Values(Form{{.num_classes = 2, .reference = 0}, false},
                                         Form{{.num_classes = 2, .reference = 1}, true},
                                         Form{{.num_classes = 2}, true},
                                         Form{{.num_classes = 4, .reference = 2}, false},
                                         Form{{.num_classes = 11, .has_intercept = false}, false}));

}  // namespace
}  // namespace lazylogit::objective
