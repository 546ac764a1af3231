#include <gtest/gtest.h>

#include <vector>

#include "lazylogit/objective/posterior.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

const std::vector<model::Shape> shapes{{.num_classes = 2, .reference = ClassId{0}},
                                       {.num_classes = 5, .reference = {}},
                                       {.num_classes = 4, .reference = ClassId{1}, .has_intercept = false}};

// The damped curvature is that of the likelihood plus ν Σ_j w_j x_j x_jᵀ for every vector: products, diagonal and matrix,
// row by row or in dense blocks, agree about it.
TEST(Damping, ProductsDiagonalAndMatrixAgree) {
  for (const model::Shape& shape : shapes)
    for (const double density : {0.1, 0.9}) {
      const auto p =
          test::make_sparse_problem({.num_rows = 60, .density = density, .shape = shape, .weights = true},
                                    prior::Gaussian::from_variance(2));
      Posterior objective(p->problem);
      const std::size_t size = objective.size();
      Random random(7);
      math::Vector b(size), v(size), plain(size), damped(size), diagonal(size), matrix(size * size);
      const std::size_t stride = p->problem.shape.stride(), vectors = p->problem.shape.num_vectors();
      for (std::size_t i = 0; i < size; ++i) {
        b[i] = i % stride < vectors ? random.normal() : 0;
        v[i] = i % stride < vectors ? random.normal() : 0;
      }
      objective.set_curvature_point(b);
      objective.hessian_vector(v, plain);
      constexpr double nu = 0.3;
      objective.set_damping(nu);
      objective.set_curvature_point(b);
      objective.hessian_vector(v, damped);
      objective.hessian_diagonal(diagonal);
      objective.hessian_matrix(matrix);
      math::Vector added(size, 0.0);
      p->x.visit_rows([&](const auto& rows) {
        for (std::size_t j = 0; j < rows.num_rows; ++j)
          for (std::size_t c = 0; c < vectors; ++c) {
            const auto row = rows.row(j);
            double score = p->problem.shape.has_intercept ? v[p->problem.shape.intercept_index(c)] : 0.0;
            for (std::size_t k = 0; k < row.size(); ++k) score += row.value(k) * v[row.ids[k] * stride + c];
            score *= nu * p->problem.weight(j);
            for (std::size_t k = 0; k < row.size(); ++k)
              added[row.ids[k] * stride + c] += row.value(k) * score;
            if (p->problem.shape.has_intercept) added[p->problem.shape.intercept_index(c)] += score;
          }
      });
      for (std::size_t i = 0; i < size; ++i) {
        EXPECT_NEAR(damped[i], plain[i] + added[i], 1e-10);
        double product = 0;
        for (std::size_t h = 0; h < size; ++h) product += matrix[i * size + h] * v[h];
        EXPECT_NEAR(product, damped[i], 1e-10);
        EXPECT_NEAR(matrix[i * size + i], diagonal[i], 1e-10);
      }
      objective.set_damping(0);
      objective.hessian_vector(v, damped);
      EXPECT_EQ(damped, plain);
    }
}

// Leaving out probabilities of at most 1e-3 changes no entry by more than they weigh.
TEST(Damping, SmallProbabilitiesMayCountAsZero) {
  auto p = test::make_sparse_problem(
      {.num_rows = 80, .density = 0.1, .shape = {.num_classes = 9, .reference = {}}},
      prior::Gaussian::from_variance(2));
  Posterior objective(p->problem);
  const std::size_t size = objective.size(), stride = p->problem.shape.stride();
  Random random(3);
  math::Vector b(size, 0.0), whole(size * size), rough(size * size);
  for (std::size_t i = 0; i < size; ++i)
    if (i % stride < 9) b[i] = 20 * random.normal();
  for (const double nu : {0.0, 0.5}) {
    objective.set_damping(nu);
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
