#include "lazylogit/bayes/variational.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/bayes/sampling.hpp"
#include "support/fitted_problem.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::bayes {
namespace {

model::PosteriorApproximation variational(const objective::Problem& problem) {
  const math::Vector b = test::optimum(problem);
  return variational_posterior(problem, b, test::record_of(problem, b), {}, {});
}

// log ∫ likelihood · prior over two coefficients, by a fine sum.
double exact_evidence(const objective::Problem& problem) {
  const model::Shape& shape = problem.shape;
  double sum = 0;
  constexpr double step = 0.05, end = 8;
  math::Vector b(shape.size(), 0.0);
  for (double s = -end; s <= end; s += step)
    for (double t = -end; t <= end; t += step) {
      b[shape.index(0, 0)] = s;
      b[shape.num_vectors() > 1 ? shape.index(0, 1) : shape.index(1, 0)] = t;
      sum += step * step *
             std::exp(objective::evaluate_error(problem, b).log_likelihood +
                      problem.prior->log_prior(b.data(), shape.stride(), shape.num_vectors()));
    }
  return std::log(sum);
}

TEST(Variational, BoundsTheEvidenceOfTwoClassesClosely) {
  auto p =
      test::make_sparse_problem({.num_rows = 30,
                                 .num_features = 2,
                                 .density = 1,
                                 .shape = {.num_classes = 2, .reference = ClassId{0}, .has_intercept = false},
                                 .weights = true,
                                 .offsets = true,
                                 .seed = 6},
                                prior::Gaussian::from_variance(2));
  p->prior->make_per_coordinate();
  p->prior->set(0, prior::Gaussian::from_variance(1.5), 0.4, false);
  const double exact = exact_evidence(p->problem), bound = *variational(p->problem).log_evidence;
  EXPECT_LE(bound, exact + 1e-6);
  EXPECT_GE(bound, exact - 0.2);
}

TEST(Variational, BoundsTheEvidenceOfThreeClasses) {
  const auto p =
      test::make_sparse_problem({.num_rows = 30,
                                 .num_features = 1,
                                 .density = 1,
                                 .shape = {.num_classes = 3, .reference = ClassId{0}, .has_intercept = false},
                                 .seed = 6},
                                prior::Gaussian::from_variance(2));
  const double exact = exact_evidence(p->problem), bound = *variational(p->problem).log_evidence;
  EXPECT_LE(bound, exact + 1e-6);
  EXPECT_GE(bound, exact - 0.7);
}

TEST(Variational, HasTheMeansOfTheSamples) {
  for (const std::size_t classes : {2u, 3u}) {
    model::Shape shape{.num_classes = classes};
    if (classes == 2) shape.reference = ClassId{0};
    const auto p = test::make_sparse_problem(
        {.num_rows = 300, .num_features = 3, .density = 1, .shape = shape, .seed = 8}, prior::Gaussian{1.0});
    const math::Vector b = test::optimum(p->problem);
    const auto samples = sample_posterior(p->problem, b, test::record_of(p->problem, b), {}, {}, {});
    const auto found = variational(p->problem);
    for (std::size_t i = 0; i < b.size(); ++i) {
      const double sd = std::sqrt(samples.variance[i]);
      EXPECT_NEAR(found.mean[i], samples.mean[i], 0.15 * sd + 1e-9) << classes << " " << i;
      if (sd > 0) {
        const double ratio = std::sqrt(found.variance[i]) / sd;
        EXPECT_GT(ratio, classes == 2 ? 0.85 : 0.7) << i;  // bounds are narrow
        EXPECT_LT(ratio, 1.05) << i;
      }
    }
  }
}

TEST(Variational, RefusesOtherPriors) {
  const auto p = test::make_sparse_problem({.shape = {.num_classes = 3}}, prior::Cauchy::from_scale(1));
  const math::Vector b(p->problem.shape.size(), 0.0);
  EXPECT_THROW(variational_posterior(p->problem, b, test::record_of(p->problem, b), {}, {}), ConfigError);
}

}  // namespace
}  // namespace lazylogit::bayes
