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
#include "lazylogit/optim/stochastic/logistic_dual.hpp"
#include "lazylogit/optim/stochastic/softmax_dual.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

using test::SparseProblem;

struct DualCase {
  std::size_t classes;
  bool intercept, weights;
  test::ValueKind values;
};

std::unique_ptr<SparseProblem> make_problem(const DualCase& c, double variance, std::size_t rows = 600) {
  auto p = test::make_sparse_problem(
      {.num_rows = rows,
       .num_features = 200,
       .density = 0.01,
       .shape = {.num_classes = c.classes,
                 .reference = c.classes == 2 ? std::optional(ClassId{1}) : std::nullopt,
                 .has_intercept = c.intercept},
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

const std::vector<DualCase> cases{
    {2, false, false, test::ValueKind::floats}, {2, true, false, test::ValueKind::ones},
    {2, true, true, test::ValueKind::doubles},  {3, false, false, test::ValueKind::doubles},
    {5, true, false, test::ValueKind::floats},  {19, false, true, test::ValueKind::floats},
    {20, true, true, test::ValueKind::ones},    {70, true, false, test::ValueKind::doubles}};

// At the optimum p is a point of the dual without a gap, and near it with a small one.
TEST(DualAscent, EndsWithinTheGapOfTheOptimum) {
  for (const DualCase& c : cases)
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
  for (const DualCase& c : {cases[0], cases[2], cases[6]}) {
    const auto p = make_problem(c, 1.0);
    const std::vector<double> start(p->problem.shape.size(), 0.0);
    const auto fit = [&](std::size_t threads) {
      const ThreadLimit limit(threads);
      return ascend_dual(request_for(*p, start, 1e-4), 60).coefficients;
    };
    EXPECT_EQ(fit(1), fit(2));
  }
}

// More coefficients than a cache holds, where those of the next row are asked for ahead: columns apart from each other are
// the same problem.
TEST(DualAscent, ColumnsThatLieApartChangeNoBit) {
  constexpr std::size_t apart = 2000;
  const auto p = make_problem(cases[0], 1.0), wide = make_problem(cases[0], 1.0);
  for (FeatureId& id : wide->x.ids) id *= apart;
  const std::size_t features = p->x.num_features * apart;
  wide->x.num_features = wide->problem.shape.num_features = features;
  wide->prior.emplace(prior::Gaussian::from_variance(1), features, wide->problem.shape.size());
  const std::vector<double> start(p->problem.shape.size(), 0.0), zeros(wide->problem.shape.size(), 0.0);
  const math::Vector found = ascend_dual(request_for(*p, start, 1e-4), 60).coefficients;
  const math::Vector far = ascend_dual(request_for(*wide, zeros, 1e-4), 60).coefficients;
  ASSERT_EQ(found.size(), p->x.num_features);
  ASSERT_EQ(far.size(), features);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], far[i * apart]) << i;
}

TEST(DualAscent, IsNotForLongRowsOtherPriorsOrTwoVectorsForTwoClasses) {
  for (const DualCase& c : cases) EXPECT_FALSE(dual_ascent_pays(make_problem(c, 1e4)->problem));
  const auto laplace = test::make_sparse_problem({.shape = {.num_classes = 3, .reference = {}}},
                                                 prior::Laplace::from_variance(1));
  EXPECT_FALSE(dual_ascent_pays(laplace->problem));
  const auto two = test::make_sparse_problem({.shape = {.num_classes = 2, .reference = {}}},
                                             prior::Gaussian::from_variance(1e-3));
  EXPECT_FALSE(dual_ascent_pays(two->problem));
}

// Long rows converge slowly, or not at all: a start that is worse than none is not given.
TEST(DualAscent, LongRowsEndBelowTheErrorOfZerosOrGiveNoStart) {
  int given = 0, refused = 0;
  for (const DualCase& c : cases)
    for (const double variance : {1.0, 1e3, 1e5}) {
      const auto p = make_problem(c, variance);
      const std::vector<double> start(p->problem.shape.size(), 0.0);
      const DualAscent ascent = ascend_dual(request_for(*p, start, 1e-8), 60);
      (ascent.epochs > 0 ? given : refused) += 1;
      if (ascent.epochs == 0) {
        EXPECT_TRUE(ascent.coefficients.empty());
        continue;
      }
      EXPECT_LT(objective::evaluate_error(p->problem, ascent.coefficients).error(),
                objective::evaluate_error(p->problem, start).error());
    }
  EXPECT_GT(given, 0);
  EXPECT_GT(refused, 0);
}

// What a dual says of itself, from visit to visit, is true of the coefficients that it gives.
template <class Dual>
void check_sums(const SparseProblem& p, double variance) {
  const std::vector<double> start(p.problem.shape.size(), 0.0);
  Dual dual(p.problem, variance, start);
  math::Vector b(start.begin(), start.end());
  double last = 0;
  for (int epoch = 0; epoch < 30; ++epoch) {
    DualSums sums;
    p.problem.x->visit_rows([&](const auto& rows) {
      for (std::size_t j = 0; j < rows.num_rows; ++j)
        if (p.problem.weight(j) > 0) dual.visit(rows.row(j), j, sums);
    });
    dual.write(b);
    double squares = 0;
    for (std::size_t i = 0; i < p.problem.shape.num_features * p.problem.shape.stride(); ++i)
      squares += b[i] * b[i];
    EXPECT_NEAR(dual.penalty(), 0.5 * squares / variance, 1e-4 * (1 + squares));
    EXPECT_TRUE(epoch < 2 || sums.gap <= last || sums.gap < 1e-4) << sums.gap;
    last = sums.gap;
  }
  const auto parts = objective::evaluate_error(p.problem, b);
  const double gap = *objective::certify(p.problem, b).relative_gap;
  EXPECT_LE(last, 1e-3 * parts.error());
  EXPECT_LE(gap, 1e-3);
}

TEST(DualAscent, SumsAreThoseOfTheCoefficients) {
  for (const DualCase& c : cases) {
    if (c.intercept) continue;  // a free one is the caller's to center
    const auto p = make_problem(c, 0.5);
    SCOPED_TRACE(c.classes);
    if (c.classes == 2)
      check_sums<LogisticDual>(*p, 0.5);
    else
      check_sums<SoftmaxDual>(*p, 0.5);
  }
}

TEST(DualAscent, AStartThatMayBeTakenGivesTheSameFit) {
  for (const DualCase& c : cases) {
    const auto p = make_problem(c, 1.0);
    math::Vector start(p->problem.shape.size(), 0.0);
    FitRequest request = request_for(*p, start, 1e-5);
    const auto fit = [&] {
      return run_from_head_start(find_optimizer("newton"), request, 60, Ahead::dual_ascent).coefficients;
    };
    const math::Vector kept = fit();
    EXPECT_EQ(start, math::Vector(start.size(), 0.0));
    request.own_start = &start;
    EXPECT_EQ(fit(), kept);
  }
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
  for (const DualCase& c : cases) {
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
