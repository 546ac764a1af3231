// A Gaussian prior with a full covariance: against the same problem in coordinates where the prior is independent.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::objective {
namespace {

constexpr std::size_t features = 4;

// V = L Lᵀ with the lower triangle L below: features 0, 1 and 3 are correlated, 2 is not.
constexpr double factor[features][features] = {
    {1.2, 0, 0, 0}, {-0.7, 0.5, 0, 0}, {0, 0, 0.9, 0}, {0.4, 0.6, 0, 0.8}};

double variance(std::size_t i, std::size_t k) {
  double sum = 0;
  for (std::size_t h = 0; h < features; ++h) sum += factor[i][h] * factor[k][h];
  return sum;
}

constexpr double means[features] = {0.3, 0, -0.2, 0.5};

std::unique_ptr<test::SparseProblem> coupled_problem(model::Shape shape, std::uint64_t seed,
                                                     bool with_means) {
  auto p = test::make_sparse_problem(
      {.num_rows = 80, .num_features = features, .density = 1, .shape = shape, .weights = true, .seed = seed},
      prior::Gaussian{1 / variance(2, 2)});
  shape = p->problem.shape;
  p->prior->make_per_coordinate();
  std::vector<std::size_t> coordinates;
  std::vector<double> covariance;
  const std::size_t members[] = {0, 1, 3};
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    for (const std::size_t i : members) coordinates.push_back(shape.index(i, v));
    for (std::size_t i = 0; with_means && i < features; ++i)
      p->prior->set(shape.index(i, v), prior::Gaussian{1 / variance(2, 2)}, means[i], false);
  }
  for (const std::size_t i : members)
    for (const std::size_t k : members) covariance.push_back(variance(i, k));
  p->prior->couple(*prior::Coupling::make(covariance, coordinates));
  return p;
}

// The same rows in the coordinates c of b = L c.
std::unique_ptr<test::SparseProblem> whitened(model::Shape shape, std::uint64_t seed) {
  auto p = test::make_sparse_problem(
      {.num_rows = 80, .num_features = features, .density = 1, .shape = shape, .weights = true, .seed = seed},
      prior::Gaussian{1.0});
  auto& values = std::get<Buffer<double>>(p->x.values);
  for (std::size_t r = 0; r < 80; ++r) {
    double x[features];
    for (std::size_t i = 0; i < features; ++i) x[i] = values[r * features + i];
    for (std::size_t h = 0; h < features; ++h) {
      double sum = 0;
      for (std::size_t i = 0; i < features; ++i) sum += x[i] * factor[i][h];
      values[r * features + h] = sum;
    }
  }
  return p;
}

const std::vector<model::Shape>& coupled_shapes() {
  static const std::vector<model::Shape> list{{.num_classes = 2, .reference = ClassId{0}},
                                              {.num_classes = 3}};
  return list;
}

math::Vector optimum(const Problem& problem, const char* optimizer = "newton") {
  const math::Vector start(problem.shape.size(), 0.0);
  optim::FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = 1e-12;
  return optim::find_optimizer(optimizer).run(request).coefficients;
}

TEST(CoupledPrior, IsTheIndependentPriorOfWhitenedFeatures) {
  for (const model::Shape& kind : coupled_shapes()) {
    const auto coupled = coupled_problem(kind, 5, false);
    const auto plain = whitened(kind, 5);
    const model::Shape& shape = coupled->problem.shape;
    const math::Vector b = optimum(coupled->problem), c = optimum(plain->problem);
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      for (std::size_t i = 0; i < features; ++i) {
        double expected = 0;
        for (std::size_t h = 0; h < features; ++h) expected += factor[i][h] * c[shape.index(h, v)];
        EXPECT_NEAR(b[shape.index(i, v)], expected, 1e-6);
      }
    const ErrorParts here = evaluate_error(coupled->problem, b), there = evaluate_error(plain->problem, c);
    EXPECT_NEAR(here.penalty, there.penalty, 1e-7);
    EXPECT_NEAR(here.error(), there.error(), 1e-9 * there.error());
    // Evidence does not depend on coordinates.
    const auto evidence = [&](const test::SparseProblem& p, const math::Vector& at) {
      model::TrainingRecord record;
      record.log_likelihood = evaluate_error(p.problem, at).log_likelihood;
      record.log_prior = p.prior->log_prior(at.data(), shape.stride(), shape.num_vectors());
      record.num_examples = 80;
      return bayes::approximate_posterior(p.problem, at, record, {.kind = model::PosteriorKind::full}, {},
                                          {});
    };
    const auto mine = evidence(*coupled, b), other = evidence(*plain, c);
    EXPECT_NEAR(*mine.log_evidence, *other.log_evidence, 1e-6);
    EXPECT_NEAR(mine.effective_parameters, other.effective_parameters, 1e-6);
  }
}

TEST(CoupledPrior, HasDerivativesThatAgreeWithDifferences) {
  for (const model::Shape& kind : coupled_shapes()) {
    const auto p = coupled_problem(kind, 6, true);
    Posterior objective(p->problem);
    const std::size_t n = objective.size();
    Random random(2);
    math::Vector b(n, 0.0), v(n, 0.0), g(n), up(n), down(n), product(n), matrix(n * n);
    for (std::size_t i = 0; i < n; ++i)
      if (i % p->problem.shape.stride() < p->problem.shape.num_vectors())
        b[i] = random.normal(), v[i] = random.normal();
    const double value = objective.value_and_gradient(b, g);
    EXPECT_NEAR(value, evaluate_error(p->problem, b).error(), 1e-10 * std::abs(value));
    const double h = 1e-5;
    math::Vector there = b;
    for (std::size_t i = 0; i < n; ++i) there[i] = b[i] + h * v[i];
    const double above = objective.value_and_gradient(there, up);
    for (std::size_t i = 0; i < n; ++i) there[i] = b[i] - h * v[i];
    const double below = objective.value_and_gradient(there, down);
    double slope = 0;
    for (std::size_t i = 0; i < n; ++i) slope += g[i] * v[i];
    EXPECT_NEAR((above - below) / (2 * h), slope, 1e-6 * (1 + std::abs(slope)));
    objective.set_curvature_point(b);
    objective.hessian_vector(v, product);
    objective.hessian_matrix(matrix);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR((up[i] - down[i]) / (2 * h), product[i], 1e-5 * (1 + std::abs(product[i])));
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += matrix[i * n + k] * v[k];
      EXPECT_NEAR(sum, product[i], 1e-9 * (1 + std::abs(sum)));
    }
  }
}

TEST(CoupledPrior, CertificateBoundsTheTrueGap) {
  for (const model::Shape& kind : coupled_shapes()) {
    const auto p = coupled_problem(kind, 7, true);
    const math::Vector best = optimum(p->problem);
    const double lowest = evaluate_error(p->problem, best).error();
    EXPECT_LE(*certify(p->problem, best).relative_gap, 1e-10);
    Random random(3);
    for (const double far : {1e-4, 1e-2, 1.0}) {
      math::Vector b = best;
      for (std::size_t i = 0; i < b.size(); ++i)
        if (i % p->problem.shape.stride() < p->problem.shape.num_vectors()) b[i] += far * random.normal();
      const model::Certificate certificate = certify(p->problem, b);
      ASSERT_TRUE(certificate.relative_gap);
      EXPECT_LE(*certificate.lower_bound, lowest * (1 + 1e-12)) << far;
    }
  }
}

TEST(CoupledPrior, EveryOptimizerThatTakesItEndsAtTheOptimum) {
  const auto p = coupled_problem(coupled_shapes()[1], 8, true);
  const math::Vector best = optimum(p->problem);
  const double lowest = evaluate_error(p->problem, best).error();
  std::size_t taken = 0;
  for (const optim::OptimizerEntry& entry : optim::optimizers()) {
    if (entry.refuses(*p->problem.prior)) continue;
    ++taken;
    EXPECT_FALSE(entry.stochastic) << entry.name;
    const math::Vector b = optimum(p->problem, std::string(entry.name).c_str());
    EXPECT_NEAR(evaluate_error(p->problem, b).error(), lowest, 1e-8 * lowest) << entry.name;
  }
  EXPECT_EQ(taken, 7u);
}

TEST(CoupledPrior, RefusesWhatIsNoCovariance) {
  EXPECT_FALSE(prior::Coupling::make({1, 2, 2, 1}, {0, 1}));
  EXPECT_FALSE(prior::Coupling::make({1, 1, 1, 1}, {0, 1}));
  EXPECT_FALSE(prior::Coupling::make({0, 0, 0, 1}, {0, 1}));
  EXPECT_FALSE(prior::Coupling::make({1, NAN, NAN, 1}, {0, 1}));
  const auto fine = prior::Coupling::make({1, 0.5, 0.5, 2}, {0, 1});
  ASSERT_TRUE(fine);
  // −log density at the mean: ½ log det(2π V).
  EXPECT_NEAR(fine->log_density() + 0.5 * std::log(fine->precision(0, 0) * fine->precision(1, 1)),
              -0.5 * std::log(1.75), 1e-12);
}

}  // namespace
}  // namespace lazylogit::objective
