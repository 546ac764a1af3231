#include "lazylogit/bayes/laplace_posterior.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lazylogit/base/error.hpp"
#include "lazylogit/bayes/dense_curvature.hpp"
#include "lazylogit/bayes/log_determinant.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::bayes {
namespace {

using model::PosteriorKind;

math::Vector optimum(const objective::Problem& problem) {
  const math::Vector start(problem.shape.size(), 0.0);
  optim::FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = 1e-12;
  return optim::find_optimizer("newton").run(request).coefficients;
}

model::TrainingRecord record_of(const objective::Problem& problem, const math::Vector& b) {
  model::TrainingRecord record;
  const objective::ErrorParts parts = objective::evaluate_error(problem, b);
  record.log_likelihood = parts.log_likelihood;
  record.penalty = parts.penalty;
  record.log_prior = problem.prior->log_prior(b.data(), problem.shape.stride(), problem.shape.num_vectors());
  record.num_examples = problem.x->num_rows();
  return record;
}

model::PosteriorApproximation posterior(const objective::Problem& problem, const PosteriorRequest& request) {
  const math::Vector b = optimum(problem);
  return approximate_posterior(problem, b, record_of(problem, b), request, {}, {});
}

TEST(LaplacePosterior, FixesTheSumOfFreeInterceptsInTheSymmetricForm) {
  // Predictions do not see the common shift, so the covariance of score differences equals that of the same model with
  // intercepts held together by a very wide prior.
  const auto p = test::make_sparse_problem({.num_rows = 120, .shape = {.num_classes = 3}, .seed = 4},
                                           prior::Gaussian{1.0});
  const auto free = posterior(p->problem, {.kind = PosteriorKind::full});
  prior::PriorTable wide(prior::Gaussian{1.0}, p->prior->num_penalized(), p->prior->size());
  wide.make_per_coordinate();
  const model::Shape& shape = p->problem.shape;
  for (std::size_t v = 0; v < 3; ++v) wide.set(shape.intercept_index(v), prior::Gaussian{1e-7}, 0, false);
  objective::Problem other = p->problem;
  other.prior = &wide;
  const auto held = posterior(other, {.kind = PosteriorKind::full});
  const auto difference = [&](const model::PosteriorApproximation& q) {
    const std::size_t n = q.coordinates.size(), a = n - 3, b = n - 2;  // intercepts come last
    return q.covariance[a * (a + 1) / 2 + a] + q.covariance[b * (b + 1) / 2 + b] -
           2 * q.covariance[b * (b + 1) / 2 + a];
  };
  EXPECT_NEAR(difference(free), difference(held), 1e-5 * difference(held));
  EXPECT_LT(free.variance[shape.intercept_index(0)], held.variance[shape.intercept_index(0)]);
  EXPECT_EQ(free.num_parameters, static_cast<double>(free.coordinates.size()) - 1);
}

TEST(LaplacePosterior, IntegratesTheKinkOfALaplacePrior) {
  // One coefficient that the prior keeps at 0: the evidence against a fine sum over the coefficient.
  data::SparseMatrix x;
  Buffer<double> values;
  std::vector<ClassId> labels;
  Random random(3);
  for (std::size_t j = 0; j < 30; ++j) {
    x.ids.push_back(0);
    values.push_back(0.3 * random.normal());
    x.row_offsets.push_back(x.ids.size());
    labels.push_back(static_cast<ClassId>(j % 2));
  }
  x.values = std::move(values);
  x.num_features = 1;
  const model::Shape shape{1, 2, ClassId{0}, false};
  const prior::Laplace family{4.0};
  const prior::PriorTable table(family, 1, 1);
  const objective::Problem problem{
      .x = &x, .labels = labels, .weights = {}, .offsets = {}, .shape = shape, .prior = &table};
  const math::Vector b = optimum(problem);
  ASSERT_EQ(b[0], 0.0);
  const auto found =
      approximate_posterior(problem, b, record_of(problem, b), {.kind = PosteriorKind::full}, {}, {});
  EXPECT_EQ(found.variance[0], 0.0);
  EXPECT_EQ(found.num_parameters, 0.0);
  double sum = 0;
  const double step = 1e-4;
  for (double t = -8; t <= 8; t += step) {
    const math::Vector at{t};
    sum += step * std::exp(objective::evaluate_error(problem, at).log_likelihood - family.value(t) -
                           family.normaliser());
  }
  EXPECT_NEAR(*found.log_evidence, std::log(sum), 5e-3);
}

TEST(LaplacePosterior, HasNoEvidenceUnderAnElasticNet) {
  const auto p = test::make_sparse_problem({.shape = {.num_classes = 2, .reference = ClassId{0}}},
                                           prior::ElasticNet{0.5, 0.5});
  EXPECT_FALSE(posterior(p->problem, {.kind = PosteriorKind::diagonal}).log_evidence);
}

TEST(LaplacePosterior, NamesFeaturesThatCannotBeToldApart) {
  const auto p = test::make_sparse_problem(
      {.num_rows = 60, .num_features = 2, .density = 1, .shape = {.num_classes = 2, .reference = ClassId{0}}},
      prior::Uniform{});
  auto& values = std::get<Buffer<double>>(p->x.values);
  for (std::size_t k = 0; k < values.size(); k += 2) values[k + 1] = values[k];
  const math::Vector b(p->problem.shape.size(), 0.1);
  try {
    approximate_posterior(p->problem, b, record_of(p->problem, b), {.kind = PosteriorKind::full}, {}, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("#0, #1"), std::string::npos) << error.what();
  }
}

TEST(LaplacePosterior, NamesAFeatureThatTheDataDoNotDetermine) {
  const auto p = test::make_sparse_problem({.num_rows = 30,
                                            .num_features = 3,
                                            .density = 0.0,
                                            .shape = {.num_classes = 2, .reference = ClassId{0}}},
                                           prior::Uniform{});
  const math::Vector b(p->problem.shape.size(), 0.0);
  EXPECT_THROW(approximate_posterior(p->problem, b, record_of(p->problem, b),
                                     {.kind = PosteriorKind::diagonal}, {}, {}),
               InputError);
}

TEST(LogDeterminant, AgreesWithCholesky) {
  for (const std::size_t classes : {2u, 4u}) {
    const auto p = test::make_sparse_problem({.num_rows = 400,
                                              .num_features = 300,
                                              .density = 0.05,
                                              .shape = {.num_classes = classes},
                                              .values = test::ValueKind::ones,
                                              .seed = 7},
                                             prior::Gaussian{1.0});
    objective::Posterior objective(p->problem);
    const math::Vector b = optimum(p->problem);
    const CurvatureFrame frame = curvature_frame(objective, b, {});
    const double exact = dense_curvature(objective, frame, false, {}).log_determinant;
    const LogDeterminant found = estimate_log_determinant(objective, frame, 1, {});
    EXPECT_NEAR(found.value, exact, 0.02 * static_cast<double>(frame.coordinates.size()))
        << found.standard_error;
    EXPECT_NEAR(found.value, exact, 6 * found.standard_error + 0.1);
  }
}

TEST(LowRank, WithEveryDirectionIsTheFullCovariance) {
  const auto p = test::make_sparse_problem(
      {.num_rows = 200, .num_features = 12, .density = 0.6, .shape = {.num_classes = 3}},
      prior::Gaussian{1.0});
  const auto full = posterior(p->problem, {.kind = PosteriorKind::full});
  const auto low = posterior(p->problem, {.kind = PosteriorKind::low_rank, .rank = full.coordinates.size()});
  for (const std::uint64_t at : full.coordinates)
    if (at <
        p->problem.shape.intercept_index(0)) {  // the sum of free intercepts is fixed in the full form only
      EXPECT_NEAR(low.variance[at], full.variance[at], 0.02 * full.variance[at]) << at;
    }
  const auto half = posterior(p->problem, {.kind = PosteriorKind::low_rank, .rank = 12});
  const auto diagonal = posterior(p->problem, {.kind = PosteriorKind::diagonal});
  double far_low = 0, far_diagonal = 0;
  for (const std::uint64_t at : full.coordinates) {
    far_low += std::abs(std::log(half.variance[at] / full.variance[at]));
    far_diagonal += std::abs(std::log(diagonal.variance[at] / full.variance[at]));
  }
  EXPECT_LT(far_low, far_diagonal);
}

}  // namespace
}  // namespace lazylogit::bayes
