#include "lazylogit/optim/coordinate/coordinate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <variant>

#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

FitSummary descend(const objective::Problem& problem, bool may_change) {
  const std::vector<double> start(problem.shape.size(), 0.0);
  FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = 1e-6;
  request.batch.may_change = may_change;
  return run_coordinate(request);
}

// Rounds of coordinate descent take a pass each, Newton steps one for the derivatives as well.
bool takes_rounds_alone(const FitSummary& fit) {
  return std::adjacent_find(fit.trace.begin(), fit.trace.end(), [](const PassReport& a, const PassReport& b) {
           return b.pass > a.pass + 1;
         }) == fit.trace.end();
}

std::unique_ptr<test::SparseProblem> table(double density, const prior::AnyPrior& prior) {
  return test::make_sparse_problem({.num_rows = 400,
                                    .num_features = 16,
                                    .density = density,
                                    .shape = {.num_classes = 10, .reference = {}, .has_intercept = true}},
                                   prior);
}

// Every column is the first one but for a little, which the classes depend on.
std::unique_ptr<test::SparseProblem> columns_alike() {
  auto p = table(1, prior::Laplace::from_variance(1e4));
  auto& values = std::get<Buffer<double>>(p->x.values);
  Random random(4);
  for (std::size_t j = 0; j < p->labels.size(); ++j) {
    double* const row = values.data() + 16 * j;
    for (std::size_t i = 1; i < 16; ++i) row[i] = row[0] + 0.02 * random.normal();
    const double score = row[0] + 50 * (row[3] - row[7]) + 0.5 * random.normal();
    p->labels[j] = static_cast<ClassId>(std::clamp(5 + 2 * score, 0.0, 9.0));
  }
  return p;
}

TEST(Coordinate, CoordinateDescentLeavesForNewtonStepsWhereColumnsAreAlike) {
  const auto p = columns_alike();
  const FitSummary stays = descend(p->problem, false), leaves = descend(p->problem, true);
  EXPECT_EQ(stays.reason, Termination::converged);
  EXPECT_EQ(leaves.reason, Termination::converged);
  EXPECT_TRUE(takes_rounds_alone(stays));
  EXPECT_FALSE(takes_rounds_alone(leaves));
  const double error = stays.trace.back().error;
  EXPECT_NEAR(leaves.trace.back().error, error, 2e-6 * error);
}

TEST(Coordinate, CoordinateDescentStaysWhereSweepsSuffice) {
  const auto p = table(0.3, prior::Laplace::from_variance(1));
  EXPECT_TRUE(takes_rounds_alone(descend(p->problem, true)));
}

}  // namespace
}  // namespace lazylogit::optim
