// The certificate never claims less than the true distance from the optimum; derivatives are those of the
// error; threads, order and repetition of rows change nothing.
#include "lazylogit/objective/certificate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit {
namespace {

// A random weighted problem, with or without offsets, its intercept absent, free or penalized; every draw follows from
// the seed.
struct RandomProblem {
  data::SparseMatrix x;
  std::vector<ClassId> labels;
  std::vector<double> weights, offsets;  // offsets: of some problems with two classes
  model::Shape shape;
  prior::PriorTable prior{prior::Uniform{}, 0, 0};

  RandomProblem(std::uint64_t seed, const prior::AnyPrior& family, std::size_t rows = 60) {
    Random random(seed);
    shape.num_classes = 2 + random.below(3);
    shape.num_features = 2 + random.below(5);
    shape.has_intercept = random.below(4) != 0;
    if (random.below(2) == 0) shape.reference = static_cast<ClassId>(random.below(shape.num_classes));
    x.num_features = shape.num_features;
    Buffer<double> values;
    for (std::size_t j = 0; j < rows; ++j) {
      for (std::size_t i = 0; i < shape.num_features; ++i)
        if (random.below(3) != 0) {
          x.ids.push_back(static_cast<FeatureId>(i));
          values.push_back(random.normal() * (i == 0 ? 5 : 1));
        }
      x.row_offsets.push_back(x.ids.size());
      labels.push_back(static_cast<ClassId>(j < shape.num_classes ? j : random.below(shape.num_classes)));
      weights.push_back(random.below(8) == 0 ? 0.0 : 0.2 + 2 * random.uniform());
    }
    x.values = std::move(values);
    if (shape.num_classes == 2 && random.below(2) == 0)
      for (std::size_t j = 0; j < rows; ++j) offsets.push_back(random.normal());
    const bool prior_intercept = random.below(3) == 0;
    prior = prior::PriorTable(family, prior_intercept ? shape.size() : shape.num_features * shape.stride(),
                              shape.size());
    if (random.below(2) == 0) vary_priors(random, family);
  }

  // Each coordinate its own strength and mean, some pinned.
  void vary_priors(Random& random, const prior::AnyPrior& family) {
    prior.make_per_coordinate();
    for (std::size_t i = 0; i < shape.num_features; ++i)
      for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
        prior::AnyPrior own = family;
        const double factor = 0.3 + 3 * random.uniform();
        std::visit(
            [&]<class P>(P& p) {
              if constexpr (std::is_same_v<P, prior::Gaussian>) p.precision *= factor;
              if constexpr (std::is_same_v<P, prior::Laplace>) p.l1 *= factor;
              if constexpr (std::is_same_v<P, prior::ElasticNet>) p.l1 *= factor;
              if constexpr (std::is_same_v<P, prior::Cauchy>) p.inverse_square *= factor;
            },
            own);
        prior.set(shape.index(i, v), own, random.below(2) == 0 ? random.normal() : 0.0, random.below(6) == 0);
      }
  }

  objective::Problem problem() const {
    return {
        .x = &x, .labels = labels, .weights = weights, .offsets = offsets, .shape = shape, .prior = &prior};
  }
  math::Vector start() const {
    math::Vector b(shape.size(), 0.0);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = prior.mean(i);
    return b;
  }
  // A point near `center`; fixed coordinates stay.
  math::Vector near(const math::Vector& center, double distance, Random& random) const {
    const objective::Posterior objective(problem());
    math::Vector b = center;
    for (std::size_t i = 0; i < b.size(); ++i)
      if ((objective.fixed().empty() || !objective.fixed()[i]) && random.below(3) != 0)
        b[i] += distance * random.normal();
    return b;
  }
};

optim::FitSummary fit(const objective::Problem& problem, const math::Vector& start, double gap,
                      const char* optimizer = "newton") {
  optim::FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = gap;
  return optim::find_optimizer(optimizer).run(request);
}

const prior::AnyPrior convex_priors[] = {prior::Gaussian{1}, prior::Gaussian{0.05}, prior::Laplace{1},
                                         prior::ElasticNet{0.5, 0.5}, prior::Uniform{}};

TEST(certificate, bounds_the_true_gap_everywhere) {
  int certified = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed)
    for (const prior::AnyPrior& family : convex_priors) {
      const RandomProblem random_problem(seed, family);
      const objective::Problem problem = random_problem.problem();
      const optim::FitSummary best = fit(problem, random_problem.start(), 1e-12);
      if (best.reason == optim::Termination::separation) continue;
      const double optimum = objective::evaluate_error(problem, best.coefficients).error();
      Random random(seed + 1000);
      for (const double distance : {0.0, 1e-6, 1e-3, 0.1, 1.0}) {
        const math::Vector b = random_problem.near(best.coefficients, distance, random);
        const double error = objective::evaluate_error(problem, b).error();
        const model::Certificate certificate = objective::certify(problem, b);
        if (!certificate.relative_gap) continue;
        ++certified;
        EXPECT_GE(*certificate.relative_gap * error, (error - optimum) * (1 - 1e-9) - 1e-11 * error)
            << "seed " << seed << " prior " << family.index() << " distance " << distance;
        if (distance == 0) {
          EXPECT_LE(*certificate.relative_gap, 1e-9) << "seed " << seed << " prior " << family.index();
        }
      }
    }
  EXPECT_GT(certified, 1500);
}

// What optimizers hand over, the gradient of the whole error without the prior's part, proves the same.
TEST(certificate, is_the_same_from_derivatives_at_hand) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const prior::AnyPrior& family : convex_priors) {
      const RandomProblem random_problem(seed, family);
      const objective::Problem problem = random_problem.problem();
      Random random(seed + 2000);
      const math::Vector b = random_problem.near(random_problem.start(), 0.3, random);
      objective::Posterior objective(problem);
      math::Vector gradient(b.size());
      const double value = objective.value_and_gradient(b, gradient);
      const math::Vector whole = gradient;
      const double loss = objective.without_prior(b, value, gradient);
      const model::Certificate own = objective::certify(problem, b);
      const model::Certificate given =
          objective::certify(objective, b, {}, objective::LikelihoodAt{loss, gradient});
      EXPECT_EQ(own.kind, given.kind);
      EXPECT_NEAR(own.error, given.error, 1e-13 * own.error);
      EXPECT_NEAR(own.gradient_norm, given.gradient_norm, 1e-12 * own.error);
      ASSERT_EQ(own.relative_gap.has_value(), given.relative_gap.has_value());
      if (own.relative_gap) {
        EXPECT_NEAR(*own.relative_gap, *given.relative_gap, 1e-10) << "seed " << seed;
      }
      // The prior taken off coordinate by coordinate: to the last bit.
      EXPECT_EQ(objective.without_prior(b, value), loss);
      const model::Certificate taken_off =
          objective::certify(objective, b, {}, {{.loss = loss, .gradient = whole, .with_prior = true}});
      EXPECT_EQ(taken_off.relative_gap, given.relative_gap);
      EXPECT_EQ(taken_off.worst_violation, given.worst_violation);
      EXPECT_EQ(taken_off.worst_feature, given.worst_feature);
    }
}

// A fit that ends with a proof hands it over: it is one of the coefficients that it ends with.
TEST(certificate, of_a_fit_is_that_of_its_coefficients) {
  int proved = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed)
    for (const prior::AnyPrior& family : convex_priors)
      for (const char* optimizer : {"newton", "lbfgs"}) {
        const RandomProblem random_problem(seed, family);
        const objective::Problem problem = random_problem.problem();
        const optim::FitSummary end = fit(problem, random_problem.start(), 1e-3, optimizer);
        if (!end.certificate) continue;
        ++proved;
        const model::Certificate own = objective::certify(problem, end.coefficients);
        EXPECT_EQ(own.kind, end.certificate->kind);
        EXPECT_EQ(own.worst_class, end.certificate->worst_class);
        EXPECT_NEAR(own.error, end.certificate->error, 1e-13 * own.error);
        EXPECT_NEAR(own.gradient_norm, end.certificate->gradient_norm, 1e-12 * own.error);
        ASSERT_EQ(own.relative_gap.has_value(), end.certificate->relative_gap.has_value());
        if (own.relative_gap) {
          EXPECT_NEAR(*own.relative_gap, *end.certificate->relative_gap, 1e-10) << "seed " << seed;
        }
      }
  EXPECT_GT(proved, 100);
}

TEST(objective, derivatives_are_those_of_the_error) {
  const prior::AnyPrior smooth[] = {prior::Gaussian{1}, prior::Cauchy{1}, prior::Uniform{}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed)
    for (const prior::AnyPrior& family : smooth) {
      const RandomProblem random_problem(seed, family);
      objective::Posterior objective(random_problem.problem());
      Random random(seed);
      const math::Vector b = random_problem.near(random_problem.start(), 0.5, random);
      const std::size_t n = b.size();
      math::Vector direction(n), gradient(n), high(n), low(n), product(n), matrix(n * n), diagonal(n);
      for (std::size_t i = 0; i < n; ++i)
        direction[i] = objective.fixed().empty() || !objective.fixed()[i] ? random.normal() : 0.0;
      objective.value_and_gradient(b, gradient);
      math::Vector up = b, down = b;
      const double h = 1e-5;
      for (std::size_t i = 0; i < n; ++i) up[i] += h * direction[i], down[i] -= h * direction[i];
      const double slope =
          (objective.value_and_gradient(up, high) - objective.value_and_gradient(down, low)) / (2 * h);
      const double expected = std::inner_product(gradient.begin(), gradient.end(), direction.begin(), 0.0);
      EXPECT_NEAR(slope, expected, 1e-6 * (1 + std::abs(expected)));
      objective.set_curvature_point(b);
      objective.hessian_vector(direction, product);
      objective.hessian_matrix(matrix);
      objective.hessian_diagonal(diagonal);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(product[i], (high[i] - low[i]) / (2 * h), 1e-5 * (1 + std::abs(product[i])));
        double row = 0;
        for (std::size_t k = 0; k < n; ++k) row += matrix[i * n + k] * direction[k];
        EXPECT_NEAR(product[i], row, 1e-9 * (1 + std::abs(row)));
        EXPECT_NEAR(diagonal[i], matrix[i * n + i], 1e-9 * (1 + diagonal[i]));
      }
    }
}

TEST(optimizers, exact_ones_agree_on_convex_problems) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const prior::AnyPrior& family : {convex_priors[0], convex_priors[2], convex_priors[3]}) {
      const RandomProblem random_problem(seed, family);
      const objective::Problem problem = random_problem.problem();
      const math::Vector a = fit(problem, random_problem.start(), 1e-11, "newton").coefficients;
      const math::Vector b = fit(problem, random_problem.start(), 1e-11, "lbfgs").coefficients;
      const double error = objective::evaluate_error(problem, a).error();
      EXPECT_NEAR(error, objective::evaluate_error(problem, b).error(), 1e-9 * error) << "seed " << seed;
    }
}

TEST(optimizers, threads_change_no_byte) {
  const RandomProblem random_problem(3, prior::Gaussian{1}, 20'000);
  math::Vector expected;
  for (const std::size_t threads : {1u, 2u, 5u}) {
    const ThreadLimit limit(threads);
    for (const char* optimizer : {"newton", "lbfgs"}) {
      const math::Vector b =
          fit(random_problem.problem(), random_problem.start(), 1e-8, optimizer).coefficients;
      if (threads == 1) {
        expected.insert(expected.end(), b.begin(), b.end());
        continue;
      }
      EXPECT_NE(std::search(expected.begin(), expected.end(), b.begin(), b.end()), expected.end())
          << optimizer << " with " << threads << " threads";
    }
  }
}

// Rows of a problem in another order, some several times, each with a factor on its weight.
struct Taken {
  std::size_t row;
  double factor = 1;
};
RandomProblem rearranged(const RandomProblem& original, const std::vector<Taken>& taken) {
  RandomProblem result = original;
  result.x = {};
  result.x.num_features = original.x.num_features;
  result.labels.clear();
  result.weights.clear();
  result.offsets.clear();
  Buffer<double> values;
  for (const auto& [j, factor] : taken) {
    for (std::size_t k = original.x.row_offsets[j]; k < original.x.row_offsets[j + 1]; ++k) {
      result.x.ids.push_back(original.x.ids[k]);
      values.push_back(original.x.value(k));
    }
    result.x.row_offsets.push_back(result.x.ids.size());
    result.labels.push_back(original.labels[j]);
    result.weights.push_back(factor * original.weights[j]);
    if (!original.offsets.empty()) result.offsets.push_back(original.offsets[j]);
  }
  result.x.values = std::move(values);
  return result;
}

// Two that are the same problem: at any point, and where they end from the same start.
void expect_same(const RandomProblem& a, const RandomProblem& b, Random& random, bool one_optimum) {
  const auto derivatives = [](const RandomProblem& p, const math::Vector& at) {
    objective::Posterior posterior(p.problem());
    math::Vector result(at.size());
    result.push_back(posterior.value_and_gradient(at, std::span(result).first(at.size())));
    return result;
  };
  const math::Vector at = a.near(a.start(), 1, random);
  const math::Vector ours = derivatives(a, at), theirs = derivatives(b, at);
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_NEAR(ours[i], theirs[i], 1e-12 * (1 + std::abs(ours.back())));
  const optim::FitSummary x = fit(a.problem(), a.start(), 1e-12), y = fit(b.problem(), b.start(), 1e-12);
  EXPECT_EQ(x.reason == optim::Termination::separation, y.reason == optim::Termination::separation)
      << x.message << "; " << y.message;
  if (x.reason == optim::Termination::separation) return;
  const double error = objective::evaluate_error(a.problem(), x.coefficients).error();
  EXPECT_NEAR(error, objective::evaluate_error(a.problem(), y.coefficients).error(), 1e-9 * error);
  if (!one_optimum) return;  // under L1 priors symmetric vectors may have many
  for (std::size_t i = 0; i < x.coefficients.size(); ++i)
    EXPECT_NEAR(x.coefficients[i], y.coefficients[i], 1e-6);
}

TEST(objective, stacking_repeating_and_permuting_rows_change_nothing) {
  for (const prior::AnyPrior& family :
       {prior::AnyPrior{prior::Uniform{}}, prior::AnyPrior{prior::Gaussian{1}},
        prior::AnyPrior{prior::Laplace{1}}, prior::AnyPrior{prior::Cauchy::from_scale(0.7)},
        prior::AnyPrior{prior::ElasticNet{0.5, 0.5}}})
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const RandomProblem once(seed, family);
      SCOPED_TRACE(std::string(once.prior.family()) + ", seed " + std::to_string(seed));
      const bool one_optimum = std::holds_alternative<prior::Gaussian>(family);
      Random random(seed + 50);
      std::vector<Taken> permuted, repeated, stacked, doubled;
      for (std::size_t j = 0; j < once.labels.size(); ++j) permuted.push_back({j});
      random.shuffle(std::span(permuted));
      expect_same(once, rearranged(once, permuted), random, one_optimum);
      // Once to three times, at as small a part of the weight, in another order.
      for (const Taken& row : permuted)
        for (std::size_t times = 1 + row.row % 3, k = 0; k < times; ++k)
          repeated.push_back({row.row, 1 / static_cast<double>(times)});
      random.shuffle(std::span(repeated));
      expect_same(once, rearranged(once, repeated), random, one_optimum);
      // The data under itself is the data at twice the weight.
      for (std::size_t k = 0; k < 2 * once.labels.size(); ++k) stacked.push_back({k % once.labels.size()});
      for (std::size_t j = 0; j < once.labels.size(); ++j) doubled.push_back({j, 2});
      expect_same(rearranged(once, stacked), rearranged(once, doubled), random, one_optimum);
    }
}

}  // namespace
}  // namespace lazylogit
