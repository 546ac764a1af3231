#include "lazylogit/optim/stochastic/dual_ascent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

using test::SparseProblem;

struct Case {
  std::size_t classes;
  bool intercept, weights;
  test::ValueKind values;
};

std::unique_ptr<SparseProblem> make_problem(const Case& c, double variance, std::size_t rows = 600) {
  auto p = test::make_sparse_problem(
      {.num_rows = rows,
       .num_features = 200,
       .density = 0.01,
       .shape = {.num_classes = c.classes, .reference = {}, .has_intercept = c.intercept},
       .values = c.values,
       .weights = c.weights},
      prior::Gaussian::from_variance(variance));
  for (std::size_t r = 0; r < rows; ++r)
    if (p->x.row_offsets[r] < p->x.row_offsets[r + 1])
      p->labels[r] = static_cast<ClassId>(p->x.ids[p->x.row_offsets[r]] % c.classes);
  return p;
}

FitRequest request_for(const SparseProblem& p, std::span<const double> start, double gap) {
  FitRequest request;
  request.problem = p.problem;
  request.start = start;
  request.gap = gap;
  return request;
}

const std::vector<Case> cases{{3, false, false, test::ValueKind::doubles},
                              {5, true, false, test::ValueKind::floats},
                              {19, false, true, test::ValueKind::floats},
                              {20, true, true, test::ValueKind::ones},
                              {70, true, false, test::ValueKind::doubles}};

// At the optimum p is a point of the dual without a gap, and near it with a small one.
TEST(DualAscent, EndsWithinTheGapOfTheOptimum) {
  for (const Case& c : cases)
    for (const double variance : {0.2, 1.0}) {
      const auto p = make_problem(c, variance);
      ASSERT_TRUE(dual_ascent_pays(p->problem));
      const std::vector<double> start(p->problem.shape.size(), 0.0);
      const FitRequest request = request_for(*p, start, 1e-9);
      const double optimum =
          objective::evaluate_error(p->problem, find_optimizer("newton").run(request).coefficients).error();
      const DualAscent ascent = ascend_dual(request_for(*p, start, 1e-3), 60);
      const double error = objective::evaluate_error(p->problem, ascent.coefficients).error();
      EXPECT_GT(ascent.epochs, 1u);
      EXPECT_LE((error - optimum) / optimum, 1e-3) << c.classes;
    }
}

TEST(DualAscent, ThreadsChangeNoBit) {
  const auto p = make_problem(cases[3], 1.0);
  const std::vector<double> start(p->problem.shape.size(), 0.0);
  const auto fit = [&](std::size_t threads) {
    const ThreadLimit limit(threads);
    return ascend_dual(request_for(*p, start, 1e-4), 60).coefficients;
  };
  EXPECT_EQ(fit(1), fit(2));
}

TEST(DualAscent, IsNotForLongRowsOtherPriorsOrTwoClasses) {
  EXPECT_FALSE(dual_ascent_pays(make_problem(cases[0], 1e4)->problem));
  const auto laplace = test::make_sparse_problem({.shape = {.num_classes = 3, .reference = {}}},
                                                 prior::Laplace::from_variance(1));
  EXPECT_FALSE(dual_ascent_pays(laplace->problem));
  const auto two = test::make_sparse_problem({.shape = {.num_classes = 2, .reference = ClassId{0}}},
                                             prior::Gaussian::from_variance(1e-3));
  EXPECT_FALSE(dual_ascent_pays(two->problem));
}

// Long rows converge slowly, but whatever was done is no harm.
TEST(DualAscent, LongRowsStopSoonBelowTheErrorOfTheStart) {
  const auto p = make_problem(cases[1], 1e3);
  const std::vector<double> start(p->problem.shape.size(), 0.0);
  const DualAscent ascent = ascend_dual(request_for(*p, start, 1e-8), 60);
  ASSERT_GT(ascent.epochs, 0u);
  EXPECT_TRUE(std::all_of(ascent.coefficients.begin(), ascent.coefficients.end(),
                          [](double b) { return std::isfinite(b); }));
}

TEST(DualAscent, ACancelledOneLearnsNothing) {
  const auto p = make_problem(cases[0], 1.0);
  const std::vector<double> start(p->problem.shape.size(), 0.0);
  const std::atomic<bool> flag = true;
  FitRequest request = request_for(*p, start, 1e-6);
  request.cancel = CancelToken(&flag);
  EXPECT_EQ(ascend_dual(request, 60).epochs, 0u);
  EXPECT_EQ(find_dual_start(request, 60).coefficients.size(), start.size());
}

TEST(DualAscent, NewtonStepsFromItsEndReachTheOptimum) {
  for (const Case& c : cases) {
    const auto p = make_problem(c, 1.0);
    const std::vector<double> start(p->problem.shape.size(), 0.0);
    const FitRequest request = request_for(*p, start, 1e-8);
    const FitSummary plain = find_optimizer("newton").run(request);
    const FitSummary ahead = run_from_head_start(find_optimizer("newton"), request, 60, Ahead::dual_ascent);
    EXPECT_EQ(ahead.reason, Termination::converged);
    for (std::size_t i = 0; i < start.size(); ++i)
      EXPECT_NEAR(ahead.coefficients[i], plain.coefficients[i], 2e-3);
  }
}

}  // namespace
}  // namespace lazylogit::optim
