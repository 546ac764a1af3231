#include "lazylogit/optim/coordinate/model_matrix.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/batch/kinked_quadratic.hpp"
#include "lazylogit/optim/coordinate/quadratic_model.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

const std::vector<model::Shape> shapes{{.num_classes = 2, .reference = ClassId{0}},
                                       {.num_classes = 5, .reference = {}},
                                       {.num_classes = 4, .reference = ClassId{1}}};

bool never() { return false; }

struct MatrixCase {
  std::unique_ptr<test::SparseProblem> p;
  math::Vector b;
  std::vector<MatrixTerm> terms;
  std::vector<std::size_t> places;  // of the terms among all coefficients
};

// Every other coefficient, and all intercepts.
MatrixCase make_matrix_case(const model::Shape& shape) {
  MatrixCase c{test::make_sparse_problem({.num_rows = 70, .shape = shape, .weights = true},
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
    const MatrixCase c = make_matrix_case(shape);
    objective::ScoreLine line(c.p->problem);
    line.set_point(c.b);
    objective::Posterior posterior(c.p->problem);
    const std::size_t size = posterior.size(), side = c.terms.size();
    math::Vector whole(size * size);
    posterior.set_curvature_point(c.b);
    posterior.hessian_matrix(whole);
    const auto none = [](std::size_t, std::size_t) { return 0.0; };
    const auto h = model_matrix(line, c.terms, none, 1e9, never);
    ASSERT_TRUE(h.has_value());
    for (std::size_t i = 0; i < side; ++i)
      for (std::size_t k = 0; k < side; ++k)
        EXPECT_NEAR((*h)[i * side + k], whole[c.places[i] * size + c.places[k]], 1e-7);
  }
}

TEST(ModelMatrix, DampingBendsEachVectorByItself) {
  const MatrixCase c = make_matrix_case(shapes[1]);
  objective::ScoreLine line(c.p->problem);
  line.set_point(c.b);
  const std::size_t side = c.terms.size();
  const auto none = [](std::size_t, std::size_t) { return 0.0; };
  const auto some = [](std::size_t j, std::size_t v) { return j == 4 && v == 2 ? 3.0 : 0.0; };
  const auto plain = model_matrix(line, c.terms, none, 1e9, never),
             damped = model_matrix(line, c.terms, some, 1e9, never);
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

TEST(ModelMatrix, IsNotMadeWhereItCostsTooMuchOrAnEndIsWanted) {
  const MatrixCase c = make_matrix_case(shapes[1]);
  objective::ScoreLine line(c.p->problem);
  line.set_point(c.b);
  const auto none = [](std::size_t, std::size_t) { return 0.0; };
  EXPECT_FALSE(model_matrix(line, c.terms, none, 10, never).has_value());
  EXPECT_FALSE(model_matrix(line, c.terms, none, 1e9, [] { return true; }).has_value());
}

// Pairs of columns that hardly differ: sweeps do not settle them.
std::unique_ptr<test::SparseProblem> make_pairs() {
  auto p = test::make_sparse_problem(
      {.num_rows = 20'000, .num_features = 30, .density = 0.1, .shape = {.num_classes = 4}, .weights = true},
      prior::Laplace::from_variance(1));
  auto& values = std::get<Buffer<double>>(p->x.values);
  for (std::size_t j = 0; j < p->x.num_rows(); ++j)
    for (std::size_t k = p->x.row_offsets[j]; k + 1 < p->x.row_offsets[j + 1]; ++k)
      if (p->x.ids[k] % 2 == 0 && p->x.ids[k + 1] == p->x.ids[k] + 1) values[k + 1] = 1.001 * values[k];
  return p;
}

struct Minimized {
  ModelDescent descent;
  std::vector<Term> terms;
  std::vector<FreeIntercept> intercepts;
};

Minimized minimize(const test::SparseProblem& p, objective::ScoreLine& line,
                   const objective::RowHolds& holds) {
  const model::Shape& shape = p.problem.shape;
  ColumnStore columns(p.x);
  columns.require(std::vector<std::uint8_t>(shape.num_features, 1));
  QuadraticModel model(columns, line, shape.num_vectors());
  Minimized m;
  m.intercepts.assign(shape.num_vectors(), {.present = true});
  for (std::uint32_t v = 0; v < shape.num_vectors(); ++v)
    for (std::size_t i = 0; i < shape.num_features; ++i)
      m.terms.push_back(
          {.index = shape.index(i, v), .feature = static_cast<FeatureId>(i), .vector = v, .l1 = 1.4});
  m.descent =
      model.minimize(m.terms, m.intercepts, {.forcing = 1e-4, .damping = 1e-3, .holds = &holds}, never);
  return m;
}

// With rows held back and without: the changes are those of the whole matrix's minimum from the start, X times them is the
// direction that is left, and threads change no byte.
TEST(ModelMatrix, EndsTheDescentThatSweepsBegan) {
  const auto p = make_pairs();
  const model::Shape& shape = p->problem.shape;
  for (const bool held : {false, true}) {
    objective::RowHolds holds;
    if (held)
      for (std::size_t j = 0; j < 50; ++j)
        holds.add(37 * j, p->x.num_rows(), 1.0, math::Vector(shape.num_vectors(), 0.2));
    math::Vector first;
    for (const std::size_t threads : {1u, 2u, 5u}) {
      const ThreadLimit limit(threads);
      objective::ScoreLine line(p->problem);
      line.set_point(math::Vector(shape.size(), 0.0));
      const Minimized m = minimize(*p, line, holds);
      EXPECT_TRUE(m.descent.by_matrix);
      math::Vector changes;
      for (const Term& term : m.terms) changes.push_back(term.change);
      if (threads == 1) first = changes;
      EXPECT_EQ(changes, first) << threads;
      if (threads != 1) continue;
      for (const std::size_t j : {0u, 37u, 19'999u})
        for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
          double score = m.intercepts[v].change;
          for (std::size_t k = p->x.row_offsets[j]; k < p->x.row_offsets[j + 1]; ++k)
            score += p->x.value(k) * changes[v * shape.num_features + p->x.ids[k]];
          EXPECT_NEAR(line.direction(v)[j], score, 1e-9);
        }
      objective::ScoreLine fresh(p->problem);
      fresh.set_point(math::Vector(shape.size(), 0.0));
      std::vector<MatrixTerm> terms;
      math::Vector gradient, slopes;
      const auto add = [&](std::size_t feature, std::uint32_t v, double slope) {
        terms.push_back({feature, v, 0.0});
        slopes.push_back(slope);
        gradient.push_back(0);
      };
      for (const Term& term : m.terms) add(term.feature, term.vector, 1.4);
      for (std::uint32_t v = 0; v < shape.num_vectors(); ++v) add(shape.num_features, v, 0);
      for (std::size_t j = 0; j < p->x.num_rows(); ++j)
        for (std::uint32_t v = 0; v < shape.num_vectors(); ++v) {
          const double r = fresh.weight(j) * (fresh.probabilities(v)[j] - fresh.target(j, v));
          for (std::size_t k = p->x.row_offsets[j]; k < p->x.row_offsets[j + 1]; ++k)
            gradient[v * shape.num_features + p->x.ids[k]] += p->x.value(k) * r;
          gradient[m.terms.size() + v] += r;
        }
      const auto damping = [&](std::size_t j, std::size_t v) {
        return 1e-3 + (holds.of(j) != nullptr ? holds.of(j)[v] : 0.0);
      };
      const auto matrix = model_matrix(fresh, terms, damping, 1e12, never);
      ASSERT_TRUE(matrix.has_value());
      const math::Vector start(terms.size(), 0.0);
      const math::Vector best = minimum_of({*matrix, gradient, start, slopes, {}}, 1e-9, never);
      const auto value = [&](auto&& x) {
        double sum = 0;
        for (std::size_t i = 0; i < terms.size(); ++i) {
          double product = 0;
          for (std::size_t k = 0; k < terms.size(); ++k) product += (*matrix)[i * terms.size() + k] * x(k);
          sum += x(i) * (gradient[i] + 0.5 * product) + slopes[i] * std::abs(x(i));
        }
        return sum;
      };
      const double lowest = value([&](std::size_t k) { return best[k]; });
      const double reached = value([&](std::size_t k) {
        return k < changes.size() ? changes[k] : m.intercepts[k - changes.size()].change;
      });
      EXPECT_LT(lowest, 0);
      EXPECT_NEAR(reached, lowest, 1e-5 * std::abs(lowest));
    }
  }
}

}  // namespace
}  // namespace lazylogit::optim
