#include "lazylogit/optim/stochastic/saga/saga.hpp"

#include <gtest/gtest.h>

#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

FitSummary fit_saga(const test::SparseProblem& p, const StochasticSettings& settings) {
  const auto start = test::prior_means(p);
  FitRequest request;
  request.problem = p.problem;
  request.start = start;
  request.stochastic = &settings;
  return run_saga(request);
}

double error_of_saga(const test::SparseProblem& p, const FitSummary& fit) {
  return objective::evaluate_error(p.problem, fit.coefficients).error();
}

TEST(Saga, EndsAtTheLowestErrorWhereItsStepsAreTooLong) {
  const auto p = test::make_sparse_problem({.num_rows = 200, .shape = test::two_classes},
                                           prior::Gaussian::from_variance(1));
  const double before = objective::evaluate_error(p->problem, test::prior_means(*p)).error();
  const FitSummary few = fit_saga(*p, {.epochs = 3, .learning_rate = 50.0});
  EXPECT_EQ(few.reason, Termination::max_passes) << few.message;
  EXPECT_LE(error_of_saga(*p, few), before);
  const FitSummary many = fit_saga(*p, {.learning_rate = 50.0});
  EXPECT_EQ(many.reason, Termination::no_progress) << many.message;
  EXPECT_NE(many.message.find("--learning-rate 50 are too long"), std::string::npos) << many.message;
  EXPECT_LT(many.passes, 200u);
  EXPECT_LE(error_of_saga(*p, many), before);
}

TEST(Saga, EndsWhereItsCoefficientsSeparateTheClasses) {
  const auto p = test::make_sparse_problem(
      {.num_rows = 100, .num_features = 2, .density = 1, .shape = test::two_classes}, prior::Uniform{});
  for (std::size_t r = 0; r < p->labels.size(); ++r)
    p->labels[r] = std::get<Buffer<double>>(p->x.values)[p->x.row_offsets[r]] > 0;
  const FitSummary fit = fit_saga(*p, {});
  EXPECT_EQ(fit.reason, Termination::separation) << fit.message;
  EXPECT_TRUE(fit.completely_separated);
  EXPECT_FALSE(fit.separating_direction.empty());
  EXPECT_LT(fit.passes, 1000u);
}

}  // namespace
}  // namespace lazylogit::optim
