// Standard errors, evidence, BIC and predictive probabilities at the reference optimum of every case that has them.
#include <gtest/gtest.h>

#include <cmath>

#include "golden/golden_case.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/bayes/predictive.hpp"
#include "lazylogit/bayes/sampling.hpp"
#include "lazylogit/bayes/variational.hpp"

namespace lazylogit::golden {
namespace {

std::vector<std::string> cases_with_errors() {
  std::vector<std::string> names;
  for (const std::string& name : cases_of_kind("fit"))
    if (Case(name).file["results"].contains("se")) names.push_back(name);
  return names;
}

model::Model reference_model(const Case& c) {
  const json& results = c.file["results"];
  model::Model model;
  model.shape = c.shape;
  model.coefficients = c.coefficients(results["coef"]);
  model.record.log_likelihood = results["loglik"];
  model.record.log_prior = results["log_prior"];
  model.record.num_examples = c.labels.size();
  return model;
}

model::PosteriorApproximation posterior_of(const Case& c, const model::Model& model,
                                           const bayes::PosteriorRequest& request) {
  return bayes::approximate_posterior(c.problem(), model.coefficients, model.record, request, {}, {});
}

class GoldenPosterior : public testing::TestWithParam<std::string> {};

TEST_P(GoldenPosterior, HasTheReferenceErrorsAndEvidence) {
  const Case c(GetParam());
  const json& results = c.file["results"];
  const model::Model model = reference_model(c);
  const auto full = posterior_of(c, model, {.kind = model::PosteriorKind::full});
  const double se_rel = c.file["tolerance"].value("se_rel", 1e-6);
  for (std::size_t v = 0; v < c.shape.num_vectors(); ++v)
    for (std::size_t i = 0; i < c.num_dims(); ++i) {
      const double expected = results["se"][v][i];
      EXPECT_NEAR(std::sqrt(full.variance[c.at(v, i)]), expected, se_rel * expected) << v << " " << i;
    }
  if (results.contains("log_evidence_laplace")) {
    const double expected = results["log_evidence_laplace"];
    EXPECT_NEAR(*full.log_evidence, expected, 1e-8 * std::abs(expected));
  }
  if (results.contains("bic") && results["bic_n"] == c.labels.size()) {
    EXPECT_NEAR(full.bic, results["bic"].get<double>(), 1e-9 * std::abs(full.bic));
    EXPECT_NEAR(full.aic, results["aic"].get<double>(), 1e-9 * std::abs(full.aic));
  }
  // As many directions as coefficients leave nothing out: the low-rank form is then the full one, but for its
  // single precision. Noise grows with the condition of the scaled Hessian.
  const std::size_t p = full.coordinates.size();
  if (p > 40) return;
  const auto low = posterior_of(c, model, {.kind = model::PosteriorKind::low_rank, .rank = p});
  const auto diagonal = posterior_of(c, model, {.kind = model::PosteriorKind::diagonal});
  for (const std::uint64_t at : full.coordinates) {
    EXPECT_LE(diagonal.variance[at], full.variance[at] * (1 + 1e-9));
    EXPECT_GE(low.variance[at], diagonal.variance[at] * (1 - 1e-9));
  }
  EXPECT_NEAR(*low.log_evidence, *full.log_evidence, 1e-9 * std::abs(*full.log_evidence));
}

INSTANTIATE_TEST_SUITE_P(Golden, GoldenPosterior, testing::ValuesIn(cases_with_errors()),
                         [](const auto& test) { return test.param; });

data::Rows one_row(const json& x, bool has_intercept) {
  data::Rows rows;
  Buffer<double> values;
  for (std::size_t i = has_intercept ? 1 : 0; i < x.size(); ++i)
    if (x[i].get<double>() != 0) {
      rows.x.ids.push_back(static_cast<FeatureId>(i - (has_intercept ? 1 : 0)));
      values.push_back(x[i].get<double>());
    }
  rows.x.row_offsets.push_back(rows.x.ids.size());
  rows.x.num_features = x.size() - (has_intercept ? 1 : 0);
  rows.x.values = std::move(values);
  return rows;
}

TEST(GoldenPredictive, MatchesTheProbitFormAndQuadratureForTwoClasses) {
  std::size_t tried = 0;
  for (const std::string& name : cases_of_kind("fit")) {
    const Case c(name);
    if (!c.file["results"].contains("predictive_class0")) continue;
    model::Model model = reference_model(c);
    model.posterior = posterior_of(c, model, {.kind = model::PosteriorKind::full});
    const model::Predictor predictor(model);
    for (const json& point : c.file["results"]["predictive_class0"]) {
      ++tried;
      const data::Rows rows = one_row(point["x"], c.shape.has_intercept);
      model::Predictions out;
      bayes::PosteriorPredictor(predictor, {.form = bayes::PredictiveForm::probit})
          .predict(rows, {0, 1}, model::Predictor::Detail::probabilities, out);
      EXPECT_NEAR(out.probabilities[0], point["probit_approx"].get<double>(), 1e-9) << name;
      bayes::PosteriorPredictor(predictor, {.form = bayes::PredictiveForm::monte_carlo, .draws = 200000})
          .predict(rows, {0, 1}, model::Predictor::Detail::probabilities, out);
      EXPECT_NEAR(out.probabilities[0], point["logistic_normal_quadrature"].get<double>(), 2.5e-3) << name;
      // An interval of two classes is that of the score: μ ± 1.645 √s2 through the logistic function.
      bayes::PosteriorPredictor(predictor, {.intervals = true})
          .predict(rows, {0, 1}, model::Predictor::Detail::probabilities, out);
      const double mu = point["mu"], reach = 1.6448536269514722 * std::sqrt(point["s2"].get<double>());
      EXPECT_NEAR(out.class_lower[0], 1 / (1 + std::exp(-(mu - reach))), 1e-8) << name;
      EXPECT_NEAR(out.class_upper[0], 1 / (1 + std::exp(-(mu + reach))), 1e-8) << name;
    }
  }
  EXPECT_GE(tried, 5u);
}

// With few rows the posterior is not Gaussian; samples know, and so does the evidence's lower bound.
TEST(GoldenPredictive, SamplesGiveTheExactPosteriorPredictive) {
  std::size_t tried = 0;
  for (const std::string& name : cases_of_kind("fit")) {
    const Case c(name);
    const json& results = c.file["results"];
    if (!results.contains("predictive_class0") || !results.contains("log_evidence_exact")) continue;
    model::Model model = reference_model(c);
    model.record.penalty = results["penalty"];
    for (const auto method : {bayes::SamplingMethod::polya_gamma, bayes::SamplingMethod::hamiltonian}) {
      model.posterior = bayes::sample_posterior(c.problem(), model.coefficients, model.record,
                                                {.per_chain = 4000, .method = method}, {}, {});
      const model::Predictor predictor(model);
      for (const json& point : results["predictive_class0"]) {
        if (!point.contains("exact_posterior_predictive")) continue;
        ++tried;
        const data::Rows rows = one_row(point["x"], c.shape.has_intercept);
        model::Predictions out;
        bayes::PosteriorPredictor(predictor, {.form = bayes::PredictiveForm::monte_carlo, .draws = 16000})
            .predict(rows, {0, 1}, model::Predictor::Detail::probabilities, out);
        // One standard error where 1700 of the draws are independent: a probability deviates by ½ at most.
        EXPECT_NEAR(out.probabilities[0], point["exact_posterior_predictive"].get<double>(), 0.012) << name;
      }
    }
    const auto bound = bayes::variational_posterior(c.problem(), model.coefficients, model.record, {}, {});
    EXPECT_LE(*bound.log_evidence, results["log_evidence_exact"].get<double>() + 1e-9) << name;
    EXPECT_GE(*bound.log_evidence, results["log_evidence_exact"].get<double>() - 0.3) << name;
  }
  EXPECT_GE(tried, 6u);
}

TEST(GoldenPredictive, MatchesQuadratureForSeveralClasses) {
  std::size_t tried = 0;
  for (const std::string& name : cases_of_kind("fit")) {
    Case c(name);
    if (!c.file["results"].contains("predictive_multiclass")) continue;
    model::Model model = reference_model(c);
    model.posterior = posterior_of(c, model, {.kind = model::PosteriorKind::full});
    data::Rows rows;
    rows.x = std::move(c.x);
    const model::Predictor predictor(model);
    model::Predictions probit, draws;
    bayes::PosteriorPredictor(predictor, {.form = bayes::PredictiveForm::probit})
        .predict(rows, {0, rows.num_rows()}, model::Predictor::Detail::probabilities, probit);
    for (const json& point : c.file["results"]["predictive_multiclass"]) {
      ++tried;
      const std::size_t row = point["row"], k = c.shape.num_classes;
      bayes::PosteriorPredictor(predictor, {.form = bayes::PredictiveForm::monte_carlo, .draws = 100000})
          .predict(rows, {row, row + 1}, model::Predictor::Detail::probabilities, draws);
      for (std::size_t a = 0; a < k; ++a) {
        const double expected = point["softmax_normal_quadrature"][a];
        EXPECT_NEAR(probit.probabilities[row * k + a], expected, 4e-3) << name << " " << row;
        EXPECT_NEAR(draws.probabilities[a], expected, 2.5e-3) << name << " " << row;
      }
    }
  }
  EXPECT_GE(tried, 3u);
}

}  // namespace
}  // namespace lazylogit::golden
