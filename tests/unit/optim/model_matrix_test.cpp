#include "lazylogit/optim/coordinate/model_matrix.hpp"

#include <gtest/gtest.h>

#include "lazylogit/objective/posterior.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

const std::vector<model::Shape> shapes{{.num_classes = 2, .reference = ClassId{0}},
                                       {.num_classes = 5, .reference = {}},
                                       {.num_classes = 4, .reference = ClassId{1}}};

struct Case {
  std::unique_ptr<test::SparseProblem> p;
  math::Vector b;
  std::vector<MatrixTerm> terms;
  std::vector<std::size_t> places;  // of the terms among all coefficients
};

// Every other coefficient, and all intercepts.
Case make(const model::Shape& shape) {
  Case c{test::make_sparse_problem({.num_rows = 70, .shape = shape, .weights = true},
                                   prior::Gaussian::from_variance(2)),
         {},
         {},
         {}};
  const model::Shape& own = c.p->problem.shape;
  Random random(3);
  c.b.assign(own.size(), 0.0);
  for (std::size_t i = 0; i < own.num_rows(); ++i)
    for (std::size_t v = 0; v < own.num_vectors(); ++v) {
      c.b[own.index(i, v)] = random.normal();
      if (i < own.num_features && (i + v) % 2 == 0) continue;
      const double curvature = i < own.num_features ? 0.5 : 0.0;  // of the prior; the intercept has none
      c.terms.push_back({i, static_cast<std::uint32_t>(v), curvature});
      c.places.push_back(own.index(i, v));
    }
  return c;
}

TEST(ModelMatrix, IsTheHessianOfThePosterior) {
  for (const model::Shape& shape : shapes) {
    const Case c = make(shape);
    objective::ScoreLine line(c.p->problem);
    line.set_point(c.b);
    objective::Posterior posterior(c.p->problem);
    const std::size_t size = posterior.size(), side = c.terms.size();
    math::Vector whole(size * size);
    posterior.set_curvature_point(c.b);
    posterior.hessian_matrix(whole);
    const auto none = [](std::size_t, std::size_t) { return 0.0; };
    const auto h = model_matrix(line, c.terms, none, 1e9);
    ASSERT_TRUE(h.has_value());
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t k = 0; k < side; ++k)
        EXPECT_NEAR((*h)[i * side + k], whole[c.places[i] * size + c.places[k]], 1e-7);
  }
}

TEST(ModelMatrix, DampingBendsEachVectorByItself) {
  const Case c = make(shapes[1]);
  objective::ScoreLine line(c.p->problem);
  line.set_point(c.b);
  const std::size_t side = c.terms.size();
  const auto none = [](std::size_t, std::size_t) { return 0.0; };
  const auto some = [](std::size_t j, std::size_t v) { return j == 4 && v == 2 ? 3.0 : 0.0; };
  const auto plain = model_matrix(line, c.terms, none, 1e9), damped = model_matrix(line, c.terms, some, 1e9);
  const auto value = [&](std::size_t term) {
    if (c.terms[term].vector != 2) return 0.0;
    if (c.terms[term].feature == c.p->x.num_features) return 1.0;
    for (std::size_t k = c.p->x.row_offsets[4]; k < c.p->x.row_offsets[5]; ++k)
      if (c.p->x.ids[k] == c.terms[term].feature) return c.p->x.value(k);
    return 0.0;
  };
  for (std::size_t i = 0; i < side; ++i)
    for (std::size_t k = 0; k < side; ++k)
      EXPECT_NEAR((*damped)[i * side + k] - (*plain)[i * side + k], 3 * line.weight(4) * value(i) * value(k),
                  1e-9);
}

TEST(ModelMatrix, IsNotMadeWhereItCostsTooMuch) {
  const Case c = make(shapes[1]);
  objective::ScoreLine line(c.p->problem);
  line.set_point(c.b);
  EXPECT_FALSE(model_matrix(
                   line, c.terms, [](std::size_t, std::size_t) { return 0.0; }, 10)
                   .has_value());
}

}  // namespace
}  // namespace lazylogit::optim
