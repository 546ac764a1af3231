#include "lazylogit/optim/batch/newton.hpp"

#include <gtest/gtest.h>

#include <variant>

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

// Rows whose values are thousands of times the usual ones cut steps for all where steps are shortened: 95 of them then.
TEST(Newton, FarOffValuesDoNotCutTheStepsOfAllRows) {
  auto p = test::make_sparse_problem({.num_rows = 600,
                                      .num_features = 12,
                                      .density = 0.5,
                                      .shape = {.num_classes = 12, .reference = {}, .has_intercept = true}},
                                     prior::Gaussian::from_variance(1));
  auto& values = std::get<Buffer<double>>(p->x.values);
  Random random(5);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (random.uniform() < 0.01) values[k] *= 3000;
  for (std::size_t j = 0; j < p->labels.size(); ++j)
    if (p->x.row_size(j) > 0 && j % 10 != 0) p->labels[j] = static_cast<ClassId>(p->x.row_ids(j)[0] % 12);
  const FitSummary found = fit(p->problem, 1e-9);
  EXPECT_EQ(found.reason, Termination::converged);
  EXPECT_LE(found.iterations, 60u);
}

}  // namespace
}  // namespace lazylogit::optim
