// Passes over one vector of coefficients that no cache of a core holds, where those of the next row are asked for ahead.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

// Few entries in many columns; some rows are empty, some of weight 0, the last entry of all is in the last column.
std::unique_ptr<test::SparseProblem> make_wide(bool intercept, bool weights) {
  constexpr std::size_t features = 200'000, rows = 300;
  auto p = test::make_sparse_problem(
      {.num_rows = rows,
       .num_features = 1,
       .density = 0,
       .shape = {.num_classes = 2, .reference = ClassId{0}, .has_intercept = intercept},
       .weights = weights},
      prior::Gaussian::from_variance(1));
  Random random(5);
  Buffer<float> values;
  for (std::size_t r = 0; r < rows; ++r) {
    FeatureId id = 0;
    for (std::size_t k = 0; k < r % 40; ++k) {
      id += 1 + static_cast<FeatureId>(random.below(features / 41));
      p->x.ids.push_back(id);
      values.push_back(static_cast<float>(random.normal()));
    }
    if (r + 1 == rows) {
      p->x.ids.push_back(features - 1);
      values.push_back(1);
    }
    p->x.row_offsets[r + 1] = p->x.ids.size();
  }
  p->x.values = std::move(values);
  p->x.num_features = features;
  p->problem.shape.num_features = features;
  p->prior.emplace(prior::Gaussian::from_variance(1), features, p->problem.shape.size());
  return p;
}

TEST(WideTable, GradientsAreThePlainSums) {
  for (const bool intercept : {false, true})
    for (const bool weights : {false, true}) {
      const auto p = make_wide(intercept, weights);
      const model::Shape& shape = p->problem.shape;
      Random random(6);
      math::Vector b(shape.size());
      for (double& x : b) x = random.normal();
      const auto& values = std::get<Buffer<float>>(p->x.values);
      double expected_loss = 0;
      std::vector<double> expected(b.size(), 0.0);
      for (std::size_t j = 0; j < p->labels.size(); ++j) {
        double score = intercept ? b[shape.intercept_index(0)] : 0.0;
        for (std::size_t k = p->x.row_offsets[j]; k < p->x.row_offsets[j + 1]; ++k)
          score += static_cast<double>(values[k]) * b[p->x.ids[k]];
        const double w = p->problem.weight(j), y = p->labels[j] == 1 ? 1.0 : 0.0;
        expected_loss += w * (std::log1p(std::exp(-std::abs(score))) + std::max(score, 0.0) - y * score);
        const double r = w * (1 / (1 + std::exp(-score)) - y);
        for (std::size_t k = p->x.row_offsets[j]; k < p->x.row_offsets[j + 1]; ++k)
          expected[p->x.ids[k]] += static_cast<double>(values[k]) * r;
        if (intercept) expected[shape.intercept_index(0)] += r;
      }
      math::Vector one(b.size()), two(b.size());
      const auto gradient = [&](std::size_t threads, math::Vector& g) {
        const ThreadLimit limit(threads);
        return Posterior(p->problem).likelihood_gradient(b, g);
      };
      const double loss = gradient(1, one);
      EXPECT_EQ(loss, gradient(2, two));
      EXPECT_EQ(one, two);
      EXPECT_NEAR(loss, expected_loss, 1e-10 * expected_loss);
      for (std::size_t i = 0; i < b.size(); ++i)
        ASSERT_NEAR(one[i], expected[i], 1e-12 * (1 + std::abs(expected[i]))) << i;
    }
}

}  // namespace
}  // namespace lazylogit::objective
