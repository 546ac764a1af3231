// Probabilities and log likelihood at the reference coefficients of every fitted case, by the Predictor and the Evaluator.
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_case.hpp"
#include "lazylogit/eval/evaluator.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::golden {
namespace {

class Prediction : public testing::TestWithParam<std::string> {};

TEST_P(Prediction, AgreesWithTheReferenceProbabilities) {
  Case c(GetParam());
  model::Model model;
  model.shape = c.shape;
  model.coefficients = c.coefficients(c.file["results"]["coef"]);
  data::Rows rows;
  rows.x = std::move(c.x);
  rows.labels.append(c.labels);
  rows.weights.append(c.weights);
  const model::Predictor predictor(model);
  eval::Evaluator evaluator(predictor);
  evaluator.add(rows);
  const eval::Evaluation found = evaluator.finish();
  const double loglik = c.file["results"]["loglik"];
  EXPECT_NEAR(-*found.log_loss * found.known_weight, loglik, 1e-10 * std::fabs(loglik));

  if (!c.file["results"].contains("probabilities")) return;
  model::Predictions out;
  predictor.predict(rows, model::Predictor::Detail::probabilities, out);
  const json& reference = c.file["results"]["probabilities"];
  for (std::size_t i = 0; i < reference["rows"].size(); ++i)
    for (std::size_t k = 0; k < c.shape.num_classes; ++k) {
      const double p = reference["p"][i][k];
      const std::size_t row = reference["rows"][i];
      EXPECT_NEAR(out.probabilities[row * c.shape.num_classes + k], p, 1e-11 * p + 1e-300) << row << " " << k;
    }
}

std::vector<std::string> fits() { return cases_of_kind("fit"); }

INSTANTIATE_TEST_SUITE_P(Golden, Prediction, testing::ValuesIn(fits()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace lazylogit::golden
