#include "lazylogit/optim/batch/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <variant>

#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

FitSummary fit_to_gap(const objective::Problem& problem, double gap, bool may_change = false) {
  const std::vector<double> start(problem.shape.size(), 0.0);
  FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = gap;
  request.refine = true;
  request.batch.may_change = may_change;
  return run_newton(request);
}

TEST(Newton, RefinedSmallFitsHaveTheDigitsOfTheOptimumWhateverTheGapAsked) {
  for (const std::size_t classes : {2u, 4u})
    for (const prior::AnyPrior& prior : test::priors()) {
      const auto p = test::make_sparse_problem(
          {.num_rows = 400,
           .shape = {.num_classes = classes, .reference = ClassId{0}, .has_intercept = true}},
          prior);
      const FitSummary loose = fit_to_gap(p->problem, 1e-3), tight = fit_to_gap(p->problem, 1e-12);
      EXPECT_EQ(loose.reason, Termination::converged);
      EXPECT_EQ(tight.reason, Termination::converged);
      for (std::size_t i = 0; i < tight.coefficients.size(); ++i)
        EXPECT_NEAR(loose.coefficients[i], tight.coefficients[i], 1e-7);
    }
}

// Rows whose values are thousands of times the usual ones, and labels that mostly follow the first feature of a row.
std::unique_ptr<test::SparseProblem> far_off_values(const prior::AnyPrior& prior) {
  auto p = test::make_sparse_problem({.num_rows = 600,
                                      .num_features = 12,
                                      .density = 0.5,
                                      .shape = {.num_classes = 12, .reference = {}, .has_intercept = true}},
                                     prior);
  auto& values = std::get<Buffer<double>>(p->x.values);
  Random random(5);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (random.uniform() < 0.01) values[k] *= 3000;
  for (std::size_t j = 0; j < p->labels.size(); ++j)
    if (p->x.row_size(j) > 0 && j % 10 != 0) p->labels[j] = static_cast<ClassId>(p->x.row_ids(j)[0] % 12);
  return p;
}

// They cut steps for all where steps are shortened: 95 of them then.
TEST(Newton, FarOffValuesDoNotCutTheStepsOfAllRows) {
  const auto p = far_off_values(prior::Gaussian::from_variance(1));
  const FitSummary found = fit_to_gap(p->problem, 1e-9);
  EXPECT_EQ(found.reason, Termination::converged);
  EXPECT_LE(found.iterations, 60u);
}

TEST(Newton, LeavesForColumnsWhereStepsAreRefusedUnderAKink) {
  const auto p = far_off_values(prior::Laplace::from_variance(1));
  const FitSummary stays = fit_to_gap(p->problem, 1e-6), leaves = fit_to_gap(p->problem, 1e-6, true);
  EXPECT_EQ(stays.reason, Termination::converged);
  EXPECT_EQ(leaves.reason, Termination::converged);
  const double error = stays.trace.back().error;
  EXPECT_NEAR(leaves.trace.back().error, error, 2e-6 * error);
  EXPECT_LT(leaves.passes, stays.passes);
}

// Wide priors and values of all sizes make curvatures spread, so that a step takes hundreds of products.
TEST(Newton, LeavesForColumnsWhereConjugateGradientsCrawlOverFewRows) {
  auto p = test::make_sparse_problem({.num_rows = 150,
                                      .num_features = 160,
                                      .density = 0.2,
                                      .shape = {.num_classes = 12, .reference = {}, .has_intercept = true}},
                                     prior::Gaussian::from_variance(1e9));
  auto& values = std::get<Buffer<double>>(p->x.values);
  Random random(3);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= std::exp(4 * (random.uniform() - 0.5));
  const FitSummary stays = fit_to_gap(p->problem, 1e-6), leaves = fit_to_gap(p->problem, 1e-6, true);
  EXPECT_EQ(stays.reason, Termination::converged);
  EXPECT_EQ(leaves.reason, Termination::converged);
  const double error = stays.trace.back().error;
  EXPECT_NEAR(leaves.trace.back().error, error, 2e-6 * error);
  EXPECT_LT(3 * leaves.passes, 2 * stays.passes);
  // 50 products tell, beside the derivatives and what rows that are held back take.
  std::uint64_t longest = 0;
  for (std::size_t k = 1; k < leaves.trace.size(); ++k)
    longest = std::max(longest, leaves.trace[k].pass - leaves.trace[k - 1].pass);
  EXPECT_LE(longest, 60u);
}

}  // namespace
}  // namespace lazylogit::optim
