#include "lazylogit/bayes/curvature_block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <set>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/bayes/row_products.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::bayes {
namespace {

// Large enough for products of several vectors at once, or not.
std::unique_ptr<test::SparseProblem> problem(std::size_t features, std::size_t classes,
                                             test::ValueKind values, bool intercept = true) {
  return test::make_sparse_problem({.num_rows = 300,
                                    .num_features = features,
                                    .density = 0.01,
                                    .shape = {.num_classes = classes, .has_intercept = intercept},
                                    .values = values,
                                    .seed = 3},
                                   prior::Gaussian{1.0});
}

TEST(CurvatureBlock, GivesTheProductsOfTheHessian) {
  for (const test::ValueKind values :
       {test::ValueKind::ones, test::ValueKind::floats, test::ValueKind::doubles})
    for (const std::size_t features : {50U, 6000U})
      for (const bool intercept : {true, false}) {
        const auto p = problem(features, 7, values, intercept);
        const model::Shape& shape = p->problem.shape;
        objective::Posterior objective(p->problem);
        Random random(5);
        math::Vector b(shape.size(), 0.0);
        for (std::size_t i = 0; i < shape.num_rows(); ++i)
          for (std::size_t v = 0; v < shape.num_vectors(); ++v) b[shape.index(i, v)] = 0.3 * random.normal();
        objective.set_curvature_point(b);
        CurvatureBlock block(objective, 5);
        EXPECT_EQ(block.columns(), features > 1000 ? 5U : 1U);
        math::AlignedVector<float> v(shape.num_rows() * block.width(), 0.0F), found(v.size(), 0.0F);
        for (std::size_t i = 0; i < shape.num_rows(); ++i)
          for (std::size_t k = 0; k < shape.num_vectors() * block.columns(); ++k)
            v[i * block.width() + k] = static_cast<float>(random.normal());
        std::mutex mutex;
        std::set<std::size_t> rows;
        block(v.data(), [&](std::size_t row, const float* product) {
          const std::lock_guard lock(mutex);
          EXPECT_TRUE(rows.insert(row).second);
          std::copy_n(product, block.width(), found.data() + row * block.width());
        });
        EXPECT_EQ(rows.size(), shape.num_rows());
        math::Vector in(shape.size(), 0.0), out(shape.size());
        for (std::size_t c = 0; c < block.columns(); ++c) {
          for (std::size_t i = 0; i < shape.num_rows(); ++i)
            for (std::size_t k = 0; k < shape.num_vectors(); ++k)
              in[shape.index(i, k)] = static_cast<double>(v[i * block.width() + k * block.columns() + c]);
          objective.likelihood().hessian_vector(in.data(), out.data());
          for (std::size_t i = 0; i < shape.num_rows(); ++i)
            for (std::size_t k = 0; k < shape.num_vectors(); ++k)
              EXPECT_NEAR(static_cast<double>(found[i * block.width() + k * block.columns() + c]),
                          out[shape.index(i, k)], 1e-5 * (1 + std::abs(out[shape.index(i, k)])));
        }
      }
}

TEST(CurvatureBlock, PosteriorsOfLargeProblemsDoNotDependOnTheThreads) {
  const auto p = problem(6000, 7, test::ValueKind::doubles);
  const math::Vector b(p->problem.shape.size(), 0.0);
  model::TrainingRecord record;
  record.num_examples = 300;
  for (const auto kind : {model::PosteriorKind::diagonal, model::PosteriorKind::low_rank}) {
    const auto make = [&](std::size_t threads) {
      const ThreadLimit limit(threads);
      return approximate_posterior(p->problem, b, record, {.kind = kind, .rank = 70}, {}, {});
    };
    const auto one = make(1), three = make(3);
    EXPECT_EQ(one.variance, three.variance);
    EXPECT_EQ(one.factor, three.factor);
    EXPECT_EQ(one.log_evidence, three.log_evidence);
    EXPECT_TRUE(std::isfinite(*one.log_evidence));
  }
}

TEST(RowProducts, AreThoseOfTheMatrices) {
  constexpr std::size_t count = 13, rank = 37, width = 48;
  Random random(2);
  std::vector<float> rows(count * rank), matrix(rank * width), product(count * width);
  for (float& x : rows) x = static_cast<float>(random.normal());
  for (float& x : matrix) x = static_cast<float>(random.normal());
  multiply_rows(rows.data(), count, rank, matrix.data(), width, product.data());
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t h = 0; h < width; ++h) {
      double sum = 0;
      for (std::size_t k = 0; k < rank; ++k)
        sum += static_cast<double>(rows[i * rank + k]) * static_cast<double>(matrix[k * width + h]);
      EXPECT_NEAR(static_cast<double>(product[i * width + h]), sum, 1e-4);
    }
  std::vector<double> sums(37 * 37, 0.0);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 37; k < width; ++k) product[i * width + k] = 0;
  add_products(product.data(), product.data(), count, width, 37, sums.data());
  for (std::size_t i = 0; i < 37; ++i)
    for (std::size_t h = i; h < 37; ++h) {
      double sum = 0;
      for (std::size_t j = 0; j < count; ++j)
        sum += static_cast<double>(product[j * width + i]) * static_cast<double>(product[j * width + h]);
      EXPECT_NEAR(sums[i * 37 + h], sum, 1e-3 * (1 + std::abs(sum)));
    }
}

}  // namespace
}  // namespace lazylogit::bayes
