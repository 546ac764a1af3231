// Every exact optimizer reaches the reference fits at their tolerances.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "golden/golden_case.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit::golden {
namespace {

std::vector<std::string> exact_optimizers() {
  std::vector<std::string> names;
  for (const auto& entry : optim::optimizers())
    if (!entry.stochastic) names.emplace_back(entry.name);
  return names;
}

class GoldenFit : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(GoldenFit, reaches_the_reference) {
  const auto& [name, optimizer] = GetParam();
  const Case c(name);
  const json& results = c.file["results"];
  const json& tolerance = c.file["tolerance"];
  const math::Vector start =
      c.file.contains("start") ? c.coefficients(c.file["start"]) : math::Vector(c.shape.size(), 0.0);
  optim::FitRequest request;
  request.problem = c.problem();
  request.start = start;
  request.gap = 1e-13;
  const optim::OptimizerEntry& entry = optim::find_optimizer(optimizer);
  if (const auto reason = entry.refuses(*c.prior)) {
    EXPECT_NE(reason->find(optimizer), std::string::npos) << *reason;
    return;
  }
  const bool first_order = optimizer == "gd";
  if (first_order) request.gap = 1e-6, request.max_passes = 300;
  const optim::FitSummary fit = entry.run(request);
  const math::Vector& b = fit.coefficients;

  const objective::ErrorParts parts = objective::evaluate_error(c.problem(), b);
  const double loglik = results["loglik"], penalty = results["penalty"];
  if (first_order) {  // it may need more passes than a test can spend, but says so, and never claims too much
    if (fit.reason == optim::Termination::converged && c.prior->convex()) {
      EXPECT_LE(parts.error(), (penalty - loglik) * (1 + 1e-6)) << fit.message;
    }
    EXPECT_TRUE(std::isfinite(parts.error()));
    return;
  }
  const double error_rel = tolerance["error_rel"];
  EXPECT_NEAR(parts.error(), penalty - loglik, error_rel * std::abs(penalty - loglik)) << fit.message;
  const double log_prior = c.prior->log_prior(b.data(), c.shape.stride(), c.shape.num_vectors());
  EXPECT_NEAR(-parts.log_likelihood - log_prior, results["error"].get<double>(),
              error_rel * std::abs(results["error"].get<double>()));
  if (results.contains("coef_unique") && !results["coef_unique"].get<bool>()) return;

  // In the symmetric form a column that is free for every class is identified up to a common shift.
  const math::Vector expected = c.coefficients(results["coef"]);
  // Conjugate gradients see the error alone near the end, which rounding flattens to the square root of its
  // precision.
  const double coefficient_abs = tolerance["coef_abs"].get<double>() * (optimizer == "cg" ? 100 : 1);
  for (std::size_t i = 0; i < c.num_dims(); ++i) {
    double shift = 0;
    bool free = !c.shape.reference;
    for (std::size_t v = 0; v < c.shape.num_vectors(); ++v) {
      const prior::AnyPrior p = c.prior->at(c.at(v, i));
      free = free && std::visit([](const auto& q) { return q.value(1) == 0; }, p);
      shift += b[c.at(v, i)] / static_cast<double>(c.shape.num_vectors());
    }
    for (std::size_t v = 0; v < c.shape.num_vectors(); ++v)
      EXPECT_NEAR(b[c.at(v, i)] - (free ? shift : 0), expected[c.at(v, i)], coefficient_abs)
          << "class " << v << " dimension " << i << ": " << fit.message;
  }
  if (!results.contains("zero_coefficients")) return;
  std::vector<bool> zero(c.shape.size(), false);
  for (const json& at : results["zero_coefficients"]) zero[c.at(at[0], at[1])] = true;
  for (std::size_t v = 0; v < c.shape.num_vectors(); ++v)
    for (std::size_t i = 0; i < c.num_dims(); ++i)
      EXPECT_EQ(b[c.at(v, i)] == 0, zero[c.at(v, i)]) << "class " << v << " dimension " << i;
}

std::string test_name(const testing::TestParamInfo<GoldenFit::ParamType>& test) {
  return std::get<0>(test.param) + "_" + std::get<1>(test.param);
}

INSTANTIATE_TEST_SUITE_P(cases, GoldenFit,
                         testing::Combine(testing::ValuesIn(cases_of_kind("fit")),
                                          testing::ValuesIn(exact_optimizers())),
                         test_name);

}  // namespace
}  // namespace lazylogit::golden
