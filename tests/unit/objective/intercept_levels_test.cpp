#include "lazylogit/objective/intercept_levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/objective/posterior.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

std::vector<model::Shape> shapes_with_intercepts() {
  return {{.num_classes = 2, .reference = ClassId{0}},
          {.num_classes = 2, .reference = ClassId{1}},
          {.num_classes = 4},
          {.num_classes = 4, .reference = ClassId{2}},
          {.num_classes = 3, .response = data::Response::labels},
          {.num_classes = 1, .response = data::Response::number}};
}

// With these intercepts and nothing else the expectations of intercepts are those of the data.
TEST(InterceptLevels, AreWhereTheErrorHasNoSlopeAlongIntercepts) {
  for (const model::Shape& shape : shapes_with_intercepts()) {
    const auto p = test::make_sparse_problem({.num_rows = 90, .shape = shape, .weights = true, .seed = 4},
                                             prior::Uniform{});
    const std::vector<double> levels = intercept_levels(p->problem);
    ASSERT_EQ(levels.size(), p->problem.shape.num_vectors());
    math::Vector b(p->problem.shape.size(), 0.0), gradient(b.size());
    for (std::size_t v = 0; v < levels.size(); ++v) b[p->problem.shape.intercept_index(v)] = levels[v];
    Posterior(p->problem).value_and_gradient(b, gradient);
    for (std::size_t v = 0; v < levels.size(); ++v)
      EXPECT_NEAR(gradient[p->problem.shape.intercept_index(v)], 0, 1e-10) << shape.num_classes << ", " << v;
  }
}

TEST(InterceptLevels, SumToZeroWithoutAReference) {
  const auto p = test::make_sparse_problem({.shape = {.num_classes = 5}}, prior::Uniform{});
  double sum = 0;
  for (const double level : intercept_levels(p->problem)) sum += level;
  EXPECT_NEAR(sum, 0, 1e-12);
}

TEST(InterceptLevels, AreNotFiniteWhereAClassHasNoRowsAndNoneWithoutAnIntercept) {
  auto p = test::make_sparse_problem({.shape = test::two_classes}, prior::Uniform{});
  std::fill(p->labels.begin(), p->labels.end(), ClassId{0});
  EXPECT_FALSE(std::isfinite(intercept_levels(p->problem).at(0)));
  p->problem.shape.has_intercept = false;
  EXPECT_TRUE(intercept_levels(p->problem).empty());
}

}  // namespace
}  // namespace lazylogit::objective
