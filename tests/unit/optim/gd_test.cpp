#include "lazylogit/optim/batch/gd.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/batch/curvature_bound.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

struct ConstantSteps {
  std::optional<double> step = {};
  double momentum = 0;
  std::optional<std::uint64_t> max_passes = {};
};

FitSummary descend(const test::SparseProblem& p, const ConstantSteps& steps) {
  const auto start = test::prior_means(p);
  FitRequest request;
  request.problem = p.problem;
  request.start = start;
  request.batch.step_rule = StepRule::constant;
  request.batch.step = steps.step;
  request.batch.momentum = steps.momentum;
  request.max_passes = steps.max_passes;
  return run_gd(request);
}

double error_at(const test::SparseProblem& p, std::span<const double> b) {
  return objective::evaluate_error(p.problem, b).error();
}

std::unique_ptr<test::SparseProblem> two_class_problem() {
  return test::make_sparse_problem({.num_rows = 200, .shape = test::two_classes},
                                   prior::Gaussian::from_variance(1));
}

TEST(GradientDescentSteps, ThatAreTooLongEndSoonAtTheLowestErrorAndSaySo) {
  const auto p = two_class_problem();
  const double before = error_at(*p, test::prior_means(*p));
  for (const double step : {0.3, 3.0, 1e6, 1e300}) {
    const FitSummary fit = descend(*p, {.step = step});
    EXPECT_NE(fit.reason, Termination::converged);
    EXPECT_NE(fit.message.find("--step-size"), std::string::npos) << fit.message;
    EXPECT_NE(fit.message.find("too long"), std::string::npos) << fit.message;
    EXPECT_LT(fit.passes, 200u);
    const double error = error_at(*p, fit.coefficients);
    EXPECT_LE(error, before);
    for (const PassReport& pass : fit.trace)
      if (std::isfinite(pass.error)) {
        EXPECT_LE(error, pass.error * (1 + 1e-12)) << step;
      }
  }
}

TEST(GradientDescentSteps, ThatAreCutShortEndAtTheLowestError) {
  const auto p = two_class_problem();
  const FitSummary fit = descend(*p, {.step = 3.0, .max_passes = 5});
  EXPECT_EQ(fit.reason, Termination::max_passes) << fit.message;
  EXPECT_LE(error_at(*p, fit.coefficients), error_at(*p, test::prior_means(*p)));
}

// Unbalanced classes and intercepts at their frequencies have the least curvature at the start.
TEST(GradientDescentSteps, OfNoGivenSizeLowerTheErrorAtEveryPass) {
  for (const prior::AnyPrior& prior : test::priors())
    for (const std::size_t classes : {2u, 5u}) {
      model::Shape shape{.num_classes = classes};
      if (classes == 2) shape.reference = ClassId{0};
      const auto p = test::make_sparse_problem({.num_rows = 150, .shape = shape, .weights = true}, prior);
      for (std::size_t r = 0; r < p->labels.size(); ++r)
        if (r % 15 != 0) p->labels[r] = 0;
      const FitSummary fit = descend(*p, {.max_passes = 300});
      for (std::size_t k = 1; k < fit.trace.size(); ++k)
        EXPECT_LE(fit.trace[k].error, fit.trace[k - 1].error * (1 + 1e-12))
            << p->prior->family() << ", " << classes << " classes, pass " << k;
    }
}

TEST(CurvatureBound, IsAboveTheCurvatureAnywhere) {
  for (const prior::AnyPrior& prior : test::priors())
    for (const std::size_t classes : {2u, 3u, 6u})
      for (const bool symmetric : {false, true}) {
        model::Shape shape{.num_classes = classes};
        if (!symmetric) shape.reference = ClassId{0};
        const auto p = test::make_sparse_problem(
            {.num_rows = 60, .num_features = 4, .density = 0.6, .shape = shape}, prior);
        const auto never = [] { return false; };
        const double bound = curvature_bound(p->problem, 30, never) * 1.01;  // it is found from below
        objective::Posterior posterior(p->problem);
        const auto fixed = posterior.fixed();
        Random random(7);
        for (int point = 0; point < 20; ++point) {
          math::Vector b(posterior.size(), 0.0);
          for (double& x : b) x = random.normal() * 0.2 * point;
          posterior.set_curvature_point(b);
          EXPECT_LE(largest_curvature(
                        posterior, [&](std::size_t i) { return fixed.empty() || !fixed[i]; }, 30, never),
                    bound)
              << p->prior->family() << ", " << classes << " classes";
        }
      }
}

}  // namespace
}  // namespace lazylogit::optim
