#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lazylogit/objective/posterior.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

const std::vector<model::Shape> shapes{{.num_classes = 2, .reference = ClassId{0}},
                                       {.num_classes = 5, .reference = {}},
                                       {.num_classes = 4, .reference = ClassId{1}, .has_intercept = false}};

// A step that is much too long: rows are held until the quadratic model is above the error where it led, and products,
// diagonal and matrix, row by row or in dense blocks, agree about the curvature of that model.
TEST(RowHolds, TheModelMeetsTheErrorAndItsFormsAgree) {
  for (const model::Shape& shape : shapes)
    for (const double density : {0.1, 0.9}) {
      const auto p =
          test::make_sparse_problem({.num_rows = 60, .density = density, .shape = shape, .weights = true},
                                    prior::Gaussian::from_variance(2));
      Posterior objective(p->problem);
      const std::size_t size = objective.size();
      Random random(7);
      math::Vector b(size), step(size), trial(size), plain(size), held(size), diagonal(size);
      math::Vector matrix(size * size), gradient(size);
      const std::size_t stride = p->problem.shape.stride(), vectors = p->problem.shape.num_vectors();
      double there = 0;
      constexpr double promised = 1e-3;
      std::size_t rows = 0;
      for (const double length : {5.0, 25.0}) {  // the second on top of the first
        for (std::size_t i = 0; i < size; ++i) {
          b[i] = i % stride < vectors ? 5 * random.normal() : 0;  // rows are settled
          step[i] = i % stride < vectors ? length * random.normal() : 0;
          trial[i] = b[i] + step[i];
        }
        there = objective.value_and_gradient(trial, gradient);
        rows += objective.hold(b, trial, promised);
      }
      const double at_b = objective.value_and_gradient(b, gradient);
      objective.set_curvature_point(b);
      objective.hessian_vector(step, plain);
      objective.use_holds(true);
      objective.hessian_vector(step, held);
      objective.hessian_diagonal(diagonal);
      objective.hessian_matrix(matrix);
      double foretold = at_b;
      for (std::size_t i = 0; i < size; ++i) {
        foretold += step[i] * (gradient[i] + 0.5 * held[i]);
        double product = 0;
        for (std::size_t h = 0; h < size; ++h) product += matrix[i * size + h] * step[h];
        EXPECT_NEAR(product, held[i], 1e-9 * (1 + std::abs(held[i])));
        EXPECT_NEAR(matrix[i * size + i], diagonal[i], 1e-9 * (1 + diagonal[i]));
      }
      EXPECT_GT(rows, 0u);
      EXPECT_GE(foretold, there * (1 - 1e-9) - 60 * 1e-6 * promised);
      EXPECT_EQ(objective.hold(b, trial, 10 * promised), 0u);  // nothing is left to hold
      objective.use_holds(false);
      objective.hessian_vector(step, held);
      EXPECT_EQ(held, plain);
      objective.use_holds(true);
      objective.keep_holds(0);
      objective.hessian_vector(step, held);
      EXPECT_EQ(held, plain);
    }
}

// Leaving out probabilities of at most 1e-3 changes no entry by more than they weigh.
TEST(RowHolds, SmallProbabilitiesMayCountAsZero) {
  auto p = test::make_sparse_problem(
      {.num_rows = 80, .density = 0.1, .shape = {.num_classes = 9, .reference = {}}},
      prior::Gaussian::from_variance(2));
  Posterior objective(p->problem);
  const std::size_t size = objective.size(), stride = p->problem.shape.stride();
  Random random(3);
  math::Vector b(size, 0.0), whole(size * size), rough(size * size);
  for (std::size_t i = 0; i < size; ++i)
    if (i % stride < 9) b[i] = 20 * random.normal();
  math::Vector trial(b);
  for (double& x : trial) x *= -1;
  for (const bool held : {false, true}) {
    if (held) objective.hold(b, trial, 1);
    objective.use_holds(held);
    objective.set_curvature_point(b);
    objective.hessian_matrix(whole);
    objective.hessian_matrix(rough, 1e-3);
    double largest = 0;
    for (std::size_t i = 0; i < whole.size(); ++i) largest = std::max(largest, std::abs(whole[i] - rough[i]));
    EXPECT_GT(largest, 0);
    EXPECT_LT(largest, 80 * 16 * 1e-3);
  }
}

}  // namespace
}  // namespace lazylogit::objective
