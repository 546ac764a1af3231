// Linear regressions against R's lm and glmnet (tests/golden/regression/fits.R says how the numbers were made), and the
// filter of streams against both.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lazylogit/base/log.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/trainer.hpp"
#include "support/source_tree.hpp"

namespace lazylogit::golden {
namespace {

using nlohmann::json;

const std::string folder = (test::source_tree() / "tests/golden/regression/").string();

json cases() {
  std::ifstream file(folder + "fits.json");
  return json::parse(file);
}

data::Dataset load(bool weights) {
  io::ReadOptions read;
  read.response = data::Response::number;
  read.target = "y";
  if (weights)
    read.weight = "w";
  else
    read.ignore = {"w"};
  return io::load({folder + "data.csv"}, read, silent_log(), {}).data;
}

// A file with the means of the prior, where the case has some.
std::string prior_file(const json& options, const data::Dataset& data) {
  if (!options.contains("means")) return {};
  const std::string path = testing::TempDir() + "regression_means.csv";
  std::ofstream file(path);
  file << "feature,class,mean,variance\n";
  for (std::size_t i = 0; i < options["means"].size(); ++i)
    file << data.features.name(static_cast<FeatureId>(i)) << ",*," << options["means"][i] << ","
         << options["variance"] << "\n";
  return path;
}

train::TrainOptions options_of(const json& options) {
  train::TrainOptions result;
  result.loss = "squared";
  result.prior = options["prior"];
  result.gap = 1e-12;
  result.intercept = options.value("intercept", true);
  for (const auto& [name, member] : {std::pair{"variance", &train::TrainOptions::variance},
                                     {"l1", &train::TrainOptions::l1},
                                     {"l2", &train::TrainOptions::l2}})
    if (options.contains(name)) result.*member = options[name].get<double>();
  return result;
}

model::Model fit(const json& one, const std::string& optimizer, const std::string& posterior = "none") {
  data::Dataset data = load(one["options"].value("weights", false));
  train::TrainOptions options = options_of(one["options"]);
  options.prior_file = prior_file(one["options"], data);
  options.optimizer = optimizer;
  options.posterior = posterior;
  optim::Observer nobody;
  return train::train(data, options, nullptr, nullptr, nobody, silent_log(), {}).model;
}

double expected(const json& one, const char* what, const model::Model& model, std::size_t row) {
  return one[what].value(model.feature_name(row), 0.0);
}

TEST(GoldenRegression, every_exact_optimizer_gives_the_coefficients_of_r) {
  for (const json& one : cases())
    for (const optim::OptimizerEntry& entry : optim::optimizers()) {
      if (entry.stochastic) continue;
      if (entry.refuses(prior::PriorTable(train::make_prior(options_of(one["options"])), 1, 1))) continue;
      SCOPED_TRACE(one["name"].get<std::string>() + ", " + std::string(entry.name));
      const model::Model model = fit(one, std::string(entry.name));
      // Steepest descent stops where the coefficients are right to six digits; the gap under a kink is of first order.
      const bool steepest = entry.name == "gd";
      EXPECT_TRUE(objective::satisfies(*model.record.certificate, steepest ? 1e-4 : 1e-8));
      for (std::size_t row = 0; row < model.shape.num_rows(); ++row)
        EXPECT_NEAR(model.coefficients[row], expected(one, "coefficients", model, row),
                    steepest ? 1e-5 : 2e-6)
            << model.feature_name(row);
    }
}

TEST(GoldenRegression, standard_errors_are_those_of_lm) {
  std::size_t found = 0;
  for (const json& one : cases()) {
    if (!one.contains("std_errors")) continue;
    ++found;
    SCOPED_TRACE(one["name"].get<std::string>());
    const model::Model model = fit(one, "auto", "full");
    const double noise = one["noise_variance"];
    EXPECT_NEAR(model.posterior->noise_variance, noise, 1e-9 * noise);
    for (std::size_t row = 0; row < model.shape.num_rows(); ++row) {
      const double error = expected(one, "std_errors", model, row);
      EXPECT_NEAR(std::sqrt(model.posterior->variance[row]), error, 1e-8 * error) << model.feature_name(row);
    }
  }
  EXPECT_EQ(found, 2U);
}

// One pass of the filter, in any order of rows, is the fit; so is its covariance.
TEST(GoldenRegression, the_filter_is_exact_after_one_pass) {
  std::size_t found = 0;
  for (const json& one : cases()) {
    if (one["options"]["prior"] != "gaussian" || one["options"].contains("means")) continue;
    ++found;
    SCOPED_TRACE(one["name"].get<std::string>());
    const model::Model model = fit(one, "newton", "full");
    const data::Dataset data = load(false);
    optim::OnlineSettings settings{.prior = train::make_prior(options_of(one["options"]))};
    settings.response = data::Response::number;
    const auto learner = optim::find_online_learner("adf")->make(settings);
    learner->grow(2, 1);  // the rest comes later
    std::vector<optim::RowOutcome> outcomes;
    learner->grow(data.x.num_features, 1);
    learner->learn(data, {}, 1, outcomes);
    ASSERT_EQ(outcomes.size(), data.num_rows());
    for (std::size_t row = 0; row < model.shape.num_rows(); ++row) {
      double b = 0, variance = 0;
      learner->coefficients(row, &b);
      EXPECT_NEAR(b, model.coefficients[row], 1e-8 * std::max(1.0, std::abs(b))) << model.feature_name(row);
      ASSERT_TRUE(learner->variances(row, &variance));
      EXPECT_NEAR(variance, model.posterior->variance[row], 1e-8 * variance) << model.feature_name(row);
    }
  }
  EXPECT_EQ(found, 2U);
}

}  // namespace
}  // namespace lazylogit::golden
