#include "lazylogit/optim/batch/newton.hpp"

#include <gtest/gtest.h>

#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

FitSummary fit(const objective::Problem& problem, double gap) {
  const std::vector<double> start(problem.shape.size(), 0.0);
  FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = gap;
  request.refine = true;
  return run_newton(request);
}

TEST(Newton, RefinedSmallFitsHaveTheDigitsOfTheOptimumWhateverTheGapAsked) {
  for (const std::size_t classes : {2u, 4u})
    for (const prior::AnyPrior& prior : test::priors()) {
      const auto p = test::make_sparse_problem(
          {.num_rows = 400,
           .shape = {.num_classes = classes, .reference = ClassId{0}, .has_intercept = true}},
          prior);
      const FitSummary loose = fit(p->problem, 1e-3), tight = fit(p->problem, 1e-12);
      EXPECT_EQ(loose.reason, Termination::converged);
      EXPECT_EQ(tight.reason, Termination::converged);
      for (std::size_t i = 0; i < tight.coefficients.size(); ++i)
        EXPECT_NEAR(loose.coefficients[i], tight.coefficients[i], 1e-7);
    }
}

}  // namespace
}  // namespace lazylogit::optim
