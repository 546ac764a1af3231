#include "lazylogit/optim/batch/newton_direction.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

// Enough coefficients for several panels of the factor.
std::unique_ptr<test::SparseProblem> make_problem() {
  return test::make_sparse_problem(
      {.num_rows = 300,
       .num_features = 290,
       .density = 0.2,
       .shape = {.num_classes = 2, .reference = ClassId{0}, .has_intercept = true},
       .seed = 5},
      prior::Gaussian::from_variance(2));
}

TEST(NewtonDirection, ConjugateGradientsWithTheFactorTakeOneProduct) {
  const auto p = make_problem();
  const std::vector<double> start(p->problem.shape.size(), 0.01);
  FitRequest request;
  request.problem = p->problem;
  request.start = start;
  Descent descent(request);
  math::Vector factored, diagonal, preconditioned;
  factored_direction(descent, 0, factored);
  EXPECT_GT(truncated_direction(descent, 1e-10, 0, diagonal), 5);
  const FactoredHessian factor(descent, 0);
  EXPECT_LE(truncated_direction(descent, 1e-10, 0, preconditioned, &factor), 2);
  for (std::size_t i = 0; i < factored.size(); ++i) {
    EXPECT_NEAR(diagonal[i], factored[i], 1e-8);
    EXPECT_NEAR(preconditioned[i], factored[i], 1e-10);
  }
  EXPECT_EQ(truncated_direction(descent, 1e-10, 0, diagonal, nullptr, 3), 3);
}

TEST(NewtonDirection, AFactorThatWasInterruptedMovesNothing) {
  const auto p = make_problem();
  const std::vector<double> start(p->problem.shape.size(), 0.01);
  const std::atomic<bool> flag = true;
  FitRequest request;
  request.problem = p->problem;
  request.start = start;
  request.cancel = CancelToken(&flag);
  Descent descent(request);
  math::Vector direction;
  factored_direction(descent, 0, direction);
  for (const double d : direction) EXPECT_EQ(d, 0);
}

}  // namespace
}  // namespace lazylogit::optim
