#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/objective/likelihood.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

// Probabilities of rows with scores in the thousands are 0 as numbers; how far a mixture is from them is finite all the
// same, and so is the gap that is proved with it.
TEST(FarScores, TheDivergenceOfAMixtureIsFinite) {
  for (const std::size_t classes : {2u, 3u, 9u})
    for (const bool reference : {true, false}) {
      if (classes == 2 && !reference) continue;
      model::Shape shape{.num_classes = classes, .reference = {}, .has_intercept = true};
      if (reference) shape.reference = static_cast<ClassId>(classes - 1);
      const auto p = test::make_sparse_problem({.num_rows = 50, .density = 0.5, .shape = shape},
                                               prior::Gaussian::from_variance(1));
      const model::Shape& s = p->problem.shape;
      Random random(4);
      math::Vector b(s.size(), 0.0);
      for (std::size_t i = 0; i < b.size(); ++i)
        if (i % s.stride() < s.num_vectors()) b[i] = 1000 * random.normal();
      constexpr double epsilon = 1e-6;
      const std::vector<double> r(classes, 1 / static_cast<double>(classes));
      double expected = 0;
      p->x.visit_rows([&](const auto& rows) {
        for (std::size_t j = 0; j < rows.num_rows; ++j) {
          const auto row = rows.row(j);
          std::vector<double> score(classes, 0.0);
          for (std::size_t v = 0; v < s.num_vectors(); ++v) {
            double& own = score[static_cast<std::size_t>(s.class_of(v))];
            own = b[s.intercept_index(v)];
            for (std::size_t k = 0; k < row.size(); ++k) own += row.value(k) * b[s.index(row.ids[k], v)];
          }
          const double top = *std::max_element(score.begin(), score.end());
          double sum = 0;
          for (const double x : score) sum += std::exp(x - top);
          for (const double x : score) {
            const double log_p = x - top - std::log(sum), prob = std::exp(log_p);
            const double q = (1 - epsilon) * prob + epsilon / static_cast<double>(classes);
            expected += q * (std::log(q) - log_p);
          }
        }
      });
      const double found = Likelihood(p->problem).mixture_divergence(b.data(), 1, epsilon, r);
      EXPECT_GT(expected, 0.01);
      EXPECT_NEAR(found, expected, 1e-6 * expected);
    }
}

}  // namespace
}  // namespace lazylogit::objective
