// Leaving a row out: the exact refit against the reference, the approximation against both.
#include "lazylogit/bayes/leave_one_out.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_case.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit::golden {
namespace {

std::vector<std::string> cases_with_loo() {
  std::vector<std::string> names;
  for (const std::string& name : cases_of_kind("fit"))
    if (Case(name).file["results"].contains("loo")) names.push_back(name);
  return names;
}

class GoldenLeaveOneOut : public testing::TestWithParam<std::string> {};

TEST_P(GoldenLeaveOneOut, OneStepIsCloseToTheRefit) {
  const Case c(GetParam());
  const json& loo = c.file["results"]["loo"];
  model::Model model;
  model.shape = c.shape;
  model.coefficients = c.coefficients(c.file["results"]["coef"]);
  model.record.num_examples = c.labels.size();
  model.posterior = bayes::approximate_posterior(c.problem(), model.coefficients, model.record,
                                                 {.kind = model::PosteriorKind::full}, {}, {});
  const auto found = bayes::LeaveOneOut(c.problem(), model).rows();
  double sum = 0;
  for (std::size_t j = 0; j < found.size(); ++j) {
    const double expected = loo["log_predictive"][j];
    // Equal only where the step was useless and the probability with the row was taken instead.
    EXPECT_LT(found[j].log_probability, found[j].in_sample);
    // A dozen rows: one Newton step is rough, but on the right side and of the right size. Under an L1 prior the rows left
    // may have other zeros, which the step keeps.
    const double rough = c.prior->family() == "laplace" ? 0.25 : 0.12;
    EXPECT_NEAR(std::exp(found[j].log_probability), std::exp(expected), rough) << j;
    sum += found[j].log_probability;
  }
  EXPECT_NEAR(sum, loo["sum_log_predictive"].get<double>(),
              (c.prior->family() == "laplace" ? 0.3 : 0.15) * std::abs(sum));
}

TEST_P(GoldenLeaveOneOut, TheRefitIsTheReference) {
  const Case c(GetParam());
  const math::Vector start(c.shape.size(), 0.0);
  for (std::size_t j = 0; j < c.labels.size(); ++j) {
    std::vector<double> weights(c.labels.size(), 1.0);
    weights[j] = 0;
    optim::FitRequest request;
    request.problem = c.problem();
    request.problem.weights = weights;
    request.start = start;
    request.gap = 1e-12;
    const math::Vector b = optim::find_optimizer("newton").run(request).coefficients;
    std::vector<double> alone(c.labels.size(), 0.0);
    alone[j] = 1;
    objective::Problem own = c.problem();
    own.weights = alone;
    EXPECT_NEAR(objective::evaluate_error(own, b).log_likelihood,
                c.file["results"]["loo"]["log_predictive"][j].get<double>(), 1e-5)
        << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenLeaveOneOut, testing::ValuesIn(cases_with_loo()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace lazylogit::golden
