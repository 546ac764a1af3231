#include <gtest/gtest.h>

#include "lazylogit/objective/separation.hpp"
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

FitSummary fit_separated(const objective::Problem& problem) {
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
    const FitSummary found = fit_separated(p->problem);
    ASSERT_EQ(found.reason, Termination::separation) << found.message;
    EXPECT_FALSE(found.completely_separated);
    const std::size_t at = p->problem.shape.index(7, 0);
    for (std::size_t i = 0; i < found.separating_direction.size(); ++i)
      if (i / p->problem.shape.stride() != 7) {
        EXPECT_LT(std::abs(found.separating_direction[i]), 1e-3);
      }
    EXPECT_GT(std::abs(found.separating_direction[at]), 0.1);
  }
}

// Ten features speak for class 1, ten against it, and rows have some of both: no feature separates by itself.
std::unique_ptr<test::SparseProblem> make_separated_together() {
  auto p = make(2);
  for (std::size_t j = 0; j < p->labels.size(); ++j) {
    int balance = 0;
    for (const FeatureId i : p->x.row_ids(j)) balance += i < 10 ? 1 : i < 20 ? -1 : 0;
    if (balance != 0) p->labels[j] = balance > 0 ? 1 : 0;
  }
  return p;
}

TEST(SeparationOfMany, FeaturesThatSeparateTogetherAreFound) {
  const auto p = make_separated_together();
  const FitSummary found = fit_separated(p->problem);
  ASSERT_EQ(found.reason, Termination::separation) << found.message;
  EXPECT_FALSE(found.completely_separated);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_GT(found.separating_direction[i] * (i < 10 ? 1 : -1), 0.1) << i;
}

TEST(SeparationOfMany, TheSearchEndsWhenInterrupted) {
  const auto p = make_separated_together();
  const std::vector<std::uint8_t> free(p->problem.shape.size(), 1);
  math::Vector candidate(p->problem.shape.size(), 0.0);
  for (std::size_t i = 0; i < 20; ++i) candidate[i] = i < 10 ? 1 : -1;
  EXPECT_TRUE(objective::quasi_separation(p->problem, free, candidate));
  EXPECT_FALSE(objective::quasi_separation(p->problem, free, candidate, [] { return true; }));
}

TEST(SeparationOfMany, OverlappingClassesHaveAnOptimumThatIsSaidToBeFinite) {
  const FitSummary found = fit_separated(make(2)->problem);
  EXPECT_EQ(found.reason, Termination::converged);
  EXPECT_NE(found.message.find("moves no score by more than"), std::string::npos) << found.message;
}

}  // namespace
}  // namespace lazylogit::optim
