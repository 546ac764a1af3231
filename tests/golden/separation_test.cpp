// Separation under the uniform prior is detected, named, and told apart; data that overlap are fitted.
#include "lazylogit/objective/separation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_case.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/certificate.hpp"
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

// Where another fit has gone so far that every probability is 0 or 1 but for rounding, and the gradient 0 with them.
TEST_P(GoldenSeparation, is_seen_from_far_out) {
  const auto& [name, optimizer] = GetParam();
  const Case c(name);
  const json& results = c.file["results"];
  const std::string status = results["status"];
  if (status == "overlap") return;
  const math::Vector direction = c.coefficients(results["direction_of_recession"]);
  for (const double length : {1e2, 1e5, 1e9}) {
    math::Vector start(direction);
    for (double& b : start) b *= length;
    optim::FitRequest request;
    request.problem = c.problem();
    request.start = start;
    const optim::FitSummary fit = optim::find_optimizer(optimizer).run(request);
    EXPECT_EQ(fit.reason, optim::Termination::separation) << length << ": " << fit.message;
    EXPECT_EQ(fit.completely_separated, status == "complete") << length << ": " << fit.message;
  }
}

std::vector<std::string> exact_optimizers() {
  std::vector<std::string> names;
  for (const optim::OptimizerEntry& entry : optim::optimizers())
    if (!entry.stochastic) names.emplace_back(entry.name);
  return names;
}

std::string test_name(const testing::TestParamInfo<GoldenSeparation::ParamType>& test) {
  return std::get<0>(test.param) + "_" + std::get<1>(test.param);
}

INSTANTIATE_TEST_SUITE_P(cases, GoldenSeparation,
                         testing::Combine(testing::ValuesIn(cases_of_kind("separation")),
                                          testing::ValuesIn(exact_optimizers())),
                         test_name);

// Derivatives that have vanished in rounding prove nothing, at whatever distance.
TEST(golden_separation, no_bound_is_found_where_there_is_no_optimum) {
  for (const std::string& name : cases_of_kind("separation")) {
    const Case c(name);
    const json& results = c.file["results"];
    if (results["status"] == "overlap") continue;
    const math::Vector direction = c.coefficients(results["direction_of_recession"]);
    for (double length = 1; length < 1e12; length *= 2) {
      math::Vector b(direction);
      for (double& x : b) x *= length;
      const model::Certificate certificate = objective::certify(c.problem(), b);
      EXPECT_FALSE(certificate.relative_gap) << name << " at " << length;
    }
  }
}

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

// One class apart from two that overlap, along a column of large numbers with rows close to the boundary: probabilities
// saturate, and curvature that rounds to 0 is not a direction that no row sees.
TEST(golden_separation, one_class_of_three_is_apart_on_a_large_scale) {
  data::SparseMatrix x;
  Buffer<double> values;
  std::vector<ClassId> labels;
  Random random(3);
  for (int j = 0; j < 150; ++j) {
    const double z = j == 0 ? 800.0 : 1e6 * std::abs(random.normal());
    labels.push_back(random.uniform() < 0.5 ? 2 : random.uniform() < 0.5 ? 1 : 0);
    values.push_back(labels.back() == 2 ? -z : z + 3e4);
    x.ids.push_back(0);
    x.row_offsets.push_back(x.ids.size());
  }
  x.values = std::move(values);
  x.num_features = 1;
  for (const ClassId reference : {0, 1, 2}) {
    const model::Shape shape{.num_features = 1, .num_classes = 3, .reference = reference};
    const prior::PriorTable prior(prior::Uniform{}, 0, shape.size());
    const math::Vector start(shape.size(), 0.0);
    for (const char* optimizer : {"newton", "lbfgs"}) {
      optim::FitRequest request;
      request.problem = {
          .x = &x, .labels = labels, .weights = {}, .offsets = {}, .shape = shape, .prior = &prior};
      request.start = start;
      const optim::FitSummary fit = optim::find_optimizer(optimizer).run(request);
      EXPECT_EQ(fit.reason, optim::Termination::separation) << optimizer << ": " << fit.message;
      EXPECT_FALSE(fit.completely_separated);
      // Whatever the point, a bound must not be below what further steps gain.
      const model::Certificate certificate = objective::certify(request.problem, fit.coefficients);
      EXPECT_NE(certificate.kind, model::CertificateKind::newton_decrement);
    }
  }
}

}  // namespace
}  // namespace lazylogit::golden
