// Rows of weight 0 count for nothing: value, gradient and curvature are those of the other rows alone, whatever the
// rows hold.
#include <gtest/gtest.h>

#include "lazylogit/objective/posterior.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

TEST(ZeroWeight, RowsCountForNothing) {
  for (const std::size_t classes : {2U, 3U, 20U}) {
    model::Shape shape{.num_classes = classes};
    if (classes == 2) shape.reference = ClassId{0};
    const auto p = test::make_sparse_problem(
        {.num_rows = 60, .num_features = 12, .shape = shape, .weights = true, .seed = 5},
        prior::Gaussian::from_variance(1));
    // The same with other entries and labels in the rows of weight 0.
    const auto q = test::make_sparse_problem(
        {.num_rows = 60, .num_features = 12, .shape = shape, .weights = true, .seed = 5},
        prior::Gaussian::from_variance(1));
    auto& values = std::get<Buffer<double>>(q->x.values);
    for (std::size_t r = 0; r < 60; ++r) {
      if (q->weights[r] != 0) continue;
      q->labels[r] = static_cast<ClassId>((static_cast<std::size_t>(q->labels[r]) + 1) % classes);
      for (std::size_t k = q->x.row_offsets[r]; k < q->x.row_offsets[r + 1]; ++k) values[k] = 1e6;
    }
    Random random(7);
    math::Vector b(p->problem.shape.size()), direction(b.size());
    for (std::size_t i = 0; i < b.size(); ++i)
      if (i % p->problem.shape.stride() < p->problem.shape.num_vectors())
        b[i] = random.normal(), direction[i] = random.normal();
    const auto derivatives = [&](const test::SparseProblem& problem) {
      Posterior posterior(problem.problem);
      math::Vector gradient(b.size()), product(b.size());
      const double error = posterior.value_and_gradient(b, gradient);
      posterior.set_curvature_point(b);
      posterior.hessian_vector(direction, product);
      gradient.push_back(error);
      gradient.insert(gradient.end(), product.begin(), product.end());
      return gradient;
    };
    EXPECT_EQ(derivatives(*p), derivatives(*q)) << classes;
  }
}

}  // namespace
}  // namespace lazylogit::objective
