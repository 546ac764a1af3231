// Stochastic optimizers on the reference fits: whatever the data, they end finite, lower than they began (or near, where a
// case begins beside its optimum) and never below the optimum; saga claims convergence only with the gap it proved.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "golden/golden_case.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"

namespace lazylogit::golden {
namespace {

std::vector<std::string> stochastic_optimizers() {
  std::vector<std::string> names;
  for (const auto& entry : optim::optimizers())
    if (entry.stochastic) names.emplace_back(entry.name);
  return names;
}

class StochasticFit : public testing::TestWithParam<std::string> {};

TEST_P(StochasticFit, comes_down_towards_the_reference) {
  const optim::OptimizerEntry& entry = optim::find_optimizer(GetParam());
  int within_gap = 0;
  for (const std::string& name : cases_of_kind("fit")) {
    const Case c(name);
    if (entry.refuses(*c.prior) || c.shape.num_vectors() > 5) continue;
    SCOPED_TRACE(name);
    const math::Vector start =
        c.file.contains("start") ? c.coefficients(c.file["start"]) : math::Vector(c.shape.size(), 0.0);
    const bool saga = GetParam() == "saga";
    const optim::StochasticSettings settings{.epochs = saga ? 400u : 30u};
    optim::FitRequest request;
    request.problem = c.problem();
    request.start = start;
    request.stochastic = &settings;
    const optim::FitSummary fit = entry.run(request);
    const double best =
        c.file["results"]["penalty"].get<double>() - c.file["results"]["loglik"].get<double>();
    const double error = objective::evaluate_error(c.problem(), fit.coefficients).error();
    EXPECT_TRUE(std::isfinite(error)) << fit.message;
    EXPECT_LE(error, objective::evaluate_error(c.problem(), start).error() *
                         (c.file.contains("start") ? 1.5 : 1 + 1e-6))
        << fit.message;
    if (c.prior->convex()) {
      EXPECT_GE(error, best * (1 - 1e-9));
      if (fit.reason == optim::Termination::converged) {
        EXPECT_LE(error, best * (1 + 1e-6)) << fit.message;
        ++within_gap;
      }
    }
  }
  if (GetParam() == "saga") {
    EXPECT_GE(within_gap, 10);
  }
}

INSTANTIATE_TEST_SUITE_P(catalog, StochasticFit, testing::ValuesIn(stochastic_optimizers()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace lazylogit::golden
