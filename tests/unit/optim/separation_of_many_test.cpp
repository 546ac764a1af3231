#include <gtest/gtest.h>

#include "lazylogit/optim/batch/lbfgs.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t features = 1500;

// Rows of random labels, far more than coefficients; no prior.
std::unique_ptr<test::SparseProblem> make(std::size_t classes) {
  return test::make_sparse_problem({.num_rows = 12'000 * (classes - 1),
                                    .num_features = features,
                                    .density = 0.01,
                                    .shape = {.num_classes = classes, .reference = ClassId{0}},
                                    .values = test::ValueKind::ones},
                                   prior::Uniform{});
}

FitSummary fit(const objective::Problem& problem) {
  const std::vector<double> start(problem.shape.size(), 0.0);
  FitRequest request;
  request.problem = problem;
  request.start = start;
  return run_newton(request);
}

// More coefficients than a dense search for separation takes.
TEST(SeparationOfMany, AFeatureOfOneClassAloneIsFound) {
  for (const std::size_t classes : {2u, 3u}) {
    const auto p = make(classes);
    for (std::size_t j = 0; j < p->labels.size(); ++j)
      for (const FeatureId i : p->x.row_ids(j))
        if (i == 7) p->labels[j] = 1;
    const FitSummary found = fit(p->problem);
    ASSERT_EQ(found.reason, Termination::separation) << found.message;
    EXPECT_FALSE(found.completely_separated);
    const std::size_t at = p->problem.shape.index(7, 0);
    for (std::size_t i = 0; i < found.separating_direction.size(); ++i)
      if (i / p->problem.shape.stride() != 7) EXPECT_LT(std::abs(found.separating_direction[i]), 1e-3);
    EXPECT_GT(std::abs(found.separating_direction[at]), 0.1);
  }
}

TEST(SeparationOfMany, OverlappingClassesHaveAnOptimumThatIsSaidToBeFinite) {
  const FitSummary found = fit(make(2)->problem);
  EXPECT_EQ(found.reason, Termination::converged);
  EXPECT_NE(found.message.find("moves no score by more than"), std::string::npos) << found.message;
}

}  // namespace
}  // namespace lazylogit::optim
