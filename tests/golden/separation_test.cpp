// Separation under the uniform prior is detected, named, and told apart; data that overlap are fitted.
#include "lazylogit/objective/separation.hpp"

#include <gtest/gtest.h>

#include "golden/golden_case.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit::golden {
namespace {

class GoldenSeparation : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(GoldenSeparation, has_the_reference_status) {
  const auto& [name, optimizer] = GetParam();
  const Case c(name);
  const json& results = c.file["results"];
  const math::Vector start(c.shape.size(), 0.0);
  optim::FitRequest request;
  request.problem = c.problem();
  request.start = start;
  const optim::FitSummary fit = optim::find_optimizer(optimizer).run(request);
  const std::string status = results["status"];
  if (status == "overlap") {
    EXPECT_EQ(fit.reason, optim::Termination::converged) << fit.message;
    const math::Vector expected = c.coefficients(results["coef"]);
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(fit.coefficients[i], expected[i], 1e-3);
  } else {
    EXPECT_EQ(fit.reason, optim::Termination::separation) << fit.message;
    EXPECT_EQ(fit.completely_separated, status == "complete") << fit.message;
  }
}

std::string test_name(const testing::TestParamInfo<GoldenSeparation::ParamType>& test) {
  return std::get<0>(test.param) + "_" + std::get<1>(test.param);
}

INSTANTIATE_TEST_SUITE_P(cases, GoldenSeparation,
                         testing::Combine(testing::ValuesIn(cases_of_kind("separation")),
                                          testing::Values("lbfgs", "newton")),
                         test_name);

TEST(golden_separation, complete_directions_of_recession_pass_the_check) {
  for (const std::string& name : cases_of_kind("separation")) {
    const Case c(name);
    const json& results = c.file["results"];
    if (results["status"] != "complete") continue;
    const auto free = objective::free_coordinates(c.problem());
    EXPECT_TRUE(
        objective::complete_separation(c.problem(), free, c.coefficients(results["direction_of_recession"])))
        << name;
  }
}

}  // namespace
}  // namespace lazylogit::golden
