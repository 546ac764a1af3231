// Paths of glmnet (tests/golden/paths/paths.R says how they were made): every lambda is a prior of ours.
//
// With n rows glmnet's error times n is ours for l1 = n·lambda·alpha and l2 = n·lambda·(1 − alpha): Laplace variance
// 2/l1², Gaussian variance 1/l2, or the elastic net with both.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lazylogit/base/log.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/train/trainer.hpp"
#include "support/source_tree.hpp"

namespace lazylogit::golden {
namespace {

using nlohmann::json;

train::TrainOptions options_of(const json& point) {
  const double alpha = point["alpha"], strength = point["rows"].get<double>() * point["lambda"].get<double>();
  train::TrainOptions options;
  options.gap = 1e-13;
  options.standardize = point["standardize"].get<bool>() ? "scale" : "none";
  if (alpha == 1) {
    options.prior = "laplace";
    options.variance = 2 / (strength * strength);
  } else if (alpha == 0) {
    options.variance = 1 / strength;
  } else {
    options.prior = "elastic-net";
    options.l1 = strength * alpha;
    options.l2 = strength * (1 - alpha);
  }
  return options;
}

TEST(GoldenPaths, every_lambda_of_glmnet_is_a_prior) {
  const std::string golden = (test::source_tree() / "tests/golden/").string();
  std::ifstream file(golden + "paths/paths.json");
  const json points = json::parse(file);
  ASSERT_GE(points.size(), 40u);
  io::ReadOptions read;
  read.target = "y";
  const data::Dataset all = io::load({golden + "cases/data/birthwt.csv"}, read, silent_log(), {}).data;
  for (const json& point : points) {
    SCOPED_TRACE(point.dump().substr(0, 90));
    data::Dataset data = all;
    optim::Observer nobody;
    const model::Model model =
        train::train(data, options_of(point), nullptr, nullptr, nobody, silent_log(), {}).model;
    for (std::size_t row = 0; row < model.shape.num_rows(); ++row) {
      const double expected = point["coefficients"][model.feature_name(row)];
      EXPECT_NEAR(model.coefficients[row], expected, 1e-5 * (1 + std::abs(expected)))
          << model.feature_name(row);
    }
  }
}

}  // namespace
}  // namespace lazylogit::golden
