// Error, gradient and Hessian at given points, at the tolerances of the files.
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_case.hpp"
#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::golden {
namespace {

void expect_close(double value, double expected, const std::string& what) {
  EXPECT_NEAR(value, expected, 1e-12 * std::max(1.0, std::abs(expected))) << what;
}

// The gradient of the error with the prior's part 0 at a kink.
math::Vector whole_gradient(objective::Posterior& objective, const math::Vector& b) {
  math::Vector gradient(b.size());
  objective.value_and_gradient(b, gradient);
  const auto slopes = objective.slopes();
  for (std::size_t i = 0; i < slopes.size(); ++i)
    gradient[i] += b[i] > 0 ? slopes[i] : b[i] < 0 ? -slopes[i] : 0.0;
  return gradient;
}

void check_points(const std::string& name) {
  const Case c(name);
  objective::Posterior objective(c.problem());
  for (const json& point : c.file["results"]["at_points"]) {
    const math::Vector b = c.coefficients(point["coef"]);
    const objective::ErrorParts parts = objective::evaluate_error(c.problem(), b);
    const double log_prior = c.prior->log_prior(b.data(), c.shape.stride(), c.shape.num_vectors());
    expect_close(parts.log_likelihood, point["loglik"], name + " loglik");
    expect_close(parts.penalty, point["penalty"], name + " penalty");
    expect_close(log_prior, point["log_prior"], name + " log_prior");
    if (point.contains("gradient")) {
      const math::Vector gradient = whole_gradient(objective, b),
                         expected = c.coefficients(point["gradient"]);
      for (std::size_t i = 0; i < b.size(); ++i) expect_close(gradient[i], expected[i], name + " gradient");
    }
    if (!point.contains("hessian")) continue;
    const std::size_t size = c.shape.size(), dims = c.num_dims();
    math::Vector hessian(size * size);
    objective.set_curvature_point(b);
    objective.hessian_matrix(hessian);
    double largest = 0;
    for (const double h : hessian) largest = std::max(largest, std::abs(h));
    for (std::size_t i = 0; i < c.shape.num_vectors() * dims; ++i)
      for (std::size_t h = 0; h < c.shape.num_vectors() * dims; ++h)
        EXPECT_NEAR(hessian[c.at(i / dims, i % dims) * size + c.at(h / dims, h % dims)],
                    point["hessian"][i][h].get<double>(), 1e-12 * std::max(1.0, largest))
            << name;
  }
}

class GoldenEvaluation : public testing::TestWithParam<std::string> {};

TEST_P(GoldenEvaluation, agrees_at_every_point) { check_points(GetParam()); }

std::vector<std::string> cases_with_points() {
  std::vector<std::string> names = cases_of_kind("eval");
  for (const std::string& name : cases_of_kind("fit"))
    if (Case(name).file["results"].contains("at_points")) names.push_back(name);
  return names;
}

std::string name_of(const testing::TestParamInfo<std::string>& test) { return test.param; }

INSTANTIATE_TEST_SUITE_P(cases, GoldenEvaluation, testing::ValuesIn(cases_with_points()), name_of);

}  // namespace
}  // namespace lazylogit::golden
