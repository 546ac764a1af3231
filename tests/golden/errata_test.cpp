// The corrections of the paper that the formulas start from, against numeric derivatives and sums of 40 and more digits.
// Not read: the example of clipping (prior_flow_test walks all priors), tails of densities, and the equivalence of scaled
// columns and scaled priors (centering_test fits both).
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_case.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"

namespace lazylogit::golden {
namespace {

struct Errata {
  json file = json::parse(std::ifstream(cases_directory() / "errata_checks.json"));
  const json& results = file["results"];
  data::SparseMatrix x;
  std::vector<ClassId> labels = file["data"]["inline"]["y"].get<std::vector<ClassId>>();
  // The point has two vectors of three numbers, an intercept first.
  model::Shape shape{.num_features = 2, .num_classes = 3, .reference = ClassId{2}};
  prior::PriorTable prior{prior::Uniform{}, 0, shape.size()};
  math::Vector b;

  Errata() {
    Buffer<double> values;
    for (const json& row : file["data"]["inline"]["x"]) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] == 0.0) continue;
        x.ids.push_back(static_cast<FeatureId>(i));
        values.push_back(row[i].get<double>());
      }
      x.row_offsets.push_back(x.ids.size());
    }
    x.values = std::move(values);
    x.num_features = shape.num_features;
    b.assign(shape.size(), 0.0);
    for (std::size_t v = 0; v < 2; ++v)
      for (std::size_t i = 0; i < 3; ++i) b[at(v, i)] = file["point"][v][i];
  }
  std::size_t at(std::size_t v, std::size_t i) const {
    return i == 0 ? shape.intercept_index(v) : shape.index(i - 1, v);
  }
  objective::Problem problem() const {
    return {.x = &x, .labels = labels, .weights = {}, .offsets = {}, .shape = shape, .prior = &prior};
  }
};

TEST(Errata, TheHessianIsThatOfTheError) {
  const Errata e;
  objective::Posterior posterior(e.problem());
  posterior.set_curvature_point(e.b);
  const std::size_t size = e.shape.size();
  math::Vector h(size * size);
  posterior.hessian_matrix(h);
  for (const json& check : e.results["hessian_sign"]) {
    const auto place = [&](std::size_t k) { return e.at(check["entry"][k][0], check["entry"][k][1]); };
    EXPECT_NEAR(h[place(0) * size + place(1)], -check["d2_loglik_numeric"].get<double>(), 1e-14);
  }
}

TEST(Errata, AStepAgainstTheGradientLowersTheError) {
  const Errata e;
  const json& direction = e.results["gradient_direction"];
  objective::Posterior posterior(e.problem());
  math::Vector gradient(e.shape.size()), ignored(e.shape.size());
  EXPECT_NEAR(posterior.value_and_gradient(e.b, gradient), direction["error_at_B"].get<double>(), 1e-13);
  for (const auto& [sign, name] : {std::pair{-1.0, "after_B_minus_1e-3_gradient_of_error"},
                                   {1.0, "after_B_plus_1e-3_gradient_of_error"}}) {
    math::Vector moved(e.b);
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += sign * 1e-3 * gradient[i];
    EXPECT_NEAR(posterior.value_and_gradient(moved, ignored), direction[name].get<double>(), 1e-13) << name;
  }
}

TEST(Errata, RepeatedStepsHaveTheirExponentOutside) {
  const Errata e;
  const json& repeated = e.results["gaussian_repeated_step"];
  const double n = repeated["n"], eta = repeated["eta"], b = repeated["b0"];
  const auto prior = prior::Gaussian::from_variance(repeated["s2"]);
  const auto run = [&](auto step, std::size_t count) {
    step.advance(eta / n, count);
    return step.apply(prior, b, 0);
  };
  for (const json& row : repeated["table"]) {
    const std::size_t k = row["k"];
    EXPECT_NEAR(run(optim::CompoundStep(prior.precision), k), row["stepwise"].get<double>(), 1e-15);
    // One long step is what the paper takes; here it ends at the mode instead of crossing it.
    EXPECT_NEAR(run(optim::LinearStep(), k),
                std::max(0.0, row["one_linear_step_k_times_as_long"].get<double>()), 1e-15);
  }
  const json& missed = e.results["lazy_step_sign"];
  EXPECT_NEAR(run(optim::CompoundStep(prior.precision), missed["missed_steps"]),
              missed["stepwise_truth"].get<double>(), 1e-15);
  EXPECT_LT(run(optim::LinearStep(), missed["missed_steps"]), b);  // as printed it grows
}

TEST(Errata, PriorsHaveTheirSlopesAndCurvatures) {
  const Errata e;
  for (const json& check : e.results["cauchy_curvature"])
    EXPECT_NEAR(prior::Cauchy::from_scale(check["lambda"]).curvature(check["b"]),
                check["second_derivative_of_minus_log_density_numeric"].get<double>(), 1e-14);
  for (const json& check : e.results["laplace_slope"])
    EXPECT_NEAR(prior::Laplace::from_variance(check["s2"]).gradient(0.3),
                check["numeric_d_minus_log_density_at_b=0.3"].get<double>(), 1e-14);
}

// Every split of a difference between two vectors has the same penalty under L1, and with it the same error.
TEST(Errata, TwoVectorsUnderLaplaceAreNotDetermined) {
  const Errata e;
  const auto prior = prior::Laplace::from_variance(1);
  const json& splits = e.results["laplace_k2_full_not_unique"];
  const double difference = 0.7;
  for (const json& split : splits) {
    const double t = split["t"];
    EXPECT_DOUBLE_EQ(split["penalised_error_without_constants"].get<double>(),
                     splits[0]["penalised_error_without_constants"].get<double>());
    EXPECT_NEAR(prior.value(t * difference) + prior.value(-(1 - t) * difference), prior.value(difference),
                1e-15);
  }
}

}  // namespace
}  // namespace lazylogit::golden
