// Every stochastic optimizer of the catalog under every prior it accepts: how near the optimum it ends, on generated
// problems with weights, a prior per coordinate, pinned and free features, from the prior means and from a random start;
// on awkward data; within bounds and balls.
#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/stochastic/finish.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

using test::priors;
using test::SparseProblem;

const prior::AnyPrior gaussian = prior::Gaussian::from_variance(1);

std::vector<std::string> stochastic_names() {
  std::vector<std::string> names;
  for (const OptimizerEntry& entry : optimizers())
    if (entry.stochastic) names.emplace_back(entry.name);
  return names;
}

// Labels that the features say something about.
std::unique_ptr<SparseProblem> generated(std::uint64_t seed, const prior::AnyPrior& prior) {
  model::Shape shape{.num_classes = seed % 3 == 2 ? 3u : 2u};
  if (shape.num_classes == 2) shape.reference = ClassId{0};
  auto p = test::make_sparse_problem({.num_rows = 120,
                                      .num_features = 6,
                                      .density = 0.5,
                                      .shape = shape,
                                      .weights = seed % 2 == 1,
                                      .seed = seed},
                                     prior);
  Random random(seed + 100);
  p->x.visit_rows([&](const auto& rows) {
    for (std::size_t r = 0; r < rows.num_rows; ++r) {
      double score = random.normal();
      for (std::size_t k = 0; k < rows.row(r).size(); ++k)
        score += rows.row(r).value(k) * (static_cast<double>(rows.row(r).ids[k]) - 2.5) / 2.5;
      p->labels[r] = score > 0.4 ? 1 : shape.num_classes == 3 && score < -0.8 ? 2 : 0;
    }
  });
  if (seed % 4 >= 2) test::scatter_prior(*p, seed);
  return p;
}

FitSummary fit(std::string_view name, const SparseProblem& p, const StochasticSettings& settings,
               const std::vector<double>& start, double gap = 1e-6) {
  FitRequest request;
  request.problem = p.problem;
  request.start = start;
  request.gap = gap;
  request.stochastic = &settings;
  return find_optimizer(name).run(request);
}
double error_of(const SparseProblem& p, std::span<const double> b) {
  return objective::evaluate_error(p.problem, b).error();
}
std::vector<double> random_start(const SparseProblem& p, std::uint64_t seed) {
  std::vector<double> start = test::prior_means(p);
  Random random(seed);
  const model::Shape& shape = p.problem.shape;
  for (std::size_t i = 0; i < start.size(); ++i)
    if (i % shape.stride() < shape.num_vectors() && !p.prior->pinned(i)) start[i] += random.normal();
  return start;
}

class StochasticOptima : public testing::TestWithParam<std::string> {};

// Excess over the optimum: 1e-6 for saga, which proves it; 2 % for rules with decaying steps after 60 epochs (ftrl and
// adadelta, whose steps start small, 4 %).
TEST_P(StochasticOptima, AreReached) {
  const std::string& name = GetParam();
  const double allowed = name == "saga" ? 1e-6 : name == "ftrl" || name == "adadelta" ? 0.04 : 0.02;
  for (const prior::AnyPrior& prior : priors())
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto p = generated(seed, prior);
      if (find_optimizer(name).refuses(*p->prior)) continue;
      SCOPED_TRACE(std::string(p->prior->family()) + ", problem " + std::to_string(seed));
      const auto start = seed % 2 == 0 ? test::prior_means(*p) : random_start(*p, seed);
      StochasticSettings settings{.tolerance = 0};
      if (name != "saga") settings.epochs = 60;
      const FitSummary summary = fit(name, *p, settings, start);
      const double best = error_of(*p, fit("newton", *p, {}, test::prior_means(*p), 1e-9).coefficients);
      EXPECT_LE(error_of(*p, summary.coefficients), best * (1 + allowed)) << summary.message;
      if (name == "saga" && p->prior->convex()) {
        EXPECT_EQ(summary.reason, Termination::converged) << summary.message;
      } else if (
          name ==
          "saga") {  // no gap to prove: it may also end where rounding hides any further fall of the error
        EXPECT_TRUE(summary.reason == Termination::converged || summary.reason == Termination::no_progress)
            << summary.message;
      }
      for (std::size_t i = 0; i < start.size(); ++i)
        if (p->prior->pinned(i)) {
          EXPECT_EQ(summary.coefficients[i], start[i]);
        }
    }
}

// 6 %, but 12 % for ftrl, whose first iterates, with little of the prior yet, weigh as much as the last.
TEST_P(StochasticOptima, AveragesComeClose) {
  if (GetParam() == "saga") return;
  const double allowed = GetParam() == "ftrl" ? 1.12 : 1.06;
  for (const prior::AnyPrior& prior : priors())
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const auto p = generated(seed, prior);
      if (find_optimizer(GetParam()).refuses(*p->prior)) continue;
      const FitSummary summary =
          fit(GetParam(), *p, {.epochs = 60, .tolerance = 0, .batch_size = 4, .average = true},
              test::prior_means(*p));
      const double best = error_of(*p, fit("newton", *p, {}, test::prior_means(*p), 1e-9).coefficients);
      EXPECT_LE(error_of(*p, summary.coefficients), best * allowed)
          << p->prior->family() << ", problem " << seed;
    }
}

void expect_sound(const std::string& name, const SparseProblem& p, const char* what) {
  const auto start = test::prior_means(p);
  const FitSummary summary = fit(name, p, {.epochs = 15}, start);
  for (const double b : summary.coefficients)
    ASSERT_TRUE(std::isfinite(b)) << what << ": " << summary.message;
  EXPECT_LE(error_of(p, summary.coefficients), error_of(p, start) * (1 + 1e-9))
      << what << ": " << summary.message;
  EXPECT_FALSE(summary.message.empty());
  if (summary.reason == Termination::converged) {
    const double best = error_of(p, fit("newton", p, {}, start).coefficients);
    EXPECT_LE(error_of(p, summary.coefficients), best * (1 + 1e-5) + 1e-9) << what;
  }
}

TEST_P(StochasticOptima, AwkwardDataEndsFiniteAndHonest) {
  const auto scaled = generated(2, gaussian);
  auto& values = std::get<Buffer<double>>(scaled->x.values);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] *= std::pow(10.0, 2.4 * scaled->x.ids[k] - 6);
  expect_sound(GetParam(), *scaled, "scales from 1e-6 to 1e6");

  const auto collinear = generated(1, gaussian);
  for (FeatureId& id : collinear->x.ids) id -= id % 2;
  expect_sound(GetParam(), *collinear, "repeated features in a row");

  for (const prior::AnyPrior& prior : {prior::AnyPrior(prior::Uniform{}), gaussian}) {
    const auto separable = generated(4, prior);
    for (std::size_t r = 0; r < separable->labels.size(); ++r) {
      const auto from = separable->x.row_offsets[r];
      separable->labels[r] = from < separable->x.row_offsets[r + 1] &&
                             std::get<Buffer<double>>(separable->x.values)[from] > 0 &&
                             separable->x.ids[from] == 0;
    }
    expect_sound(GetParam(), *separable, "nearly separable");
  }

  const auto rare = test::make_sparse_problem(
      {.num_rows = 10'000, .num_features = 3, .shape = {.num_classes = 2, .reference = ClassId{0}}},
      gaussian);
  for (std::size_t r = 0; r < rare->labels.size(); ++r) rare->labels[r] = r == 777;
  expect_sound(GetParam(), *rare, "one in ten thousand");
}

// Rates found by trying, whatever is in the sample by chance: near the optimum, beside which coefficients that are all 0 have a
// thousand times its error.
TEST_P(StochasticOptima, ARareClassIsLearned) {
  struct Case {
    std::size_t rows, rare, classes;
    bool weights;
  };
  for (const Case& of : {Case{10'000, 1, 2, false}, Case{10'000, 10, 2, true}, Case{10'000, 2, 5, false}})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      model::Shape shape{.num_classes = of.classes};
      if (of.classes == 2) shape.reference = ClassId{0};
      const auto p = test::make_sparse_problem({.num_rows = of.rows,
                                                .num_features = 3,
                                                .density = 1,
                                                .shape = shape,
                                                .weights = of.weights,
                                                .seed = seed},
                                               gaussian);
      const auto last = static_cast<ClassId>(of.classes - 1);
      for (ClassId& label : p->labels) label = label % last;
      for (std::size_t k = 0; k < of.rare; ++k) {
        const std::size_t r = (7919 * k + 777 * seed) % of.rows;
        p->labels[r] = last;
        std::get<Buffer<double>>(p->x.values)[p->x.row_offsets[r]] = 2 + static_cast<double>(k % 2);
      }
      const auto start = test::prior_means(*p);
      StochasticSettings settings{.seed = seed};
      if (GetParam() == "saga") settings.epochs = 20;
      const FitSummary summary = fit(GetParam(), *p, settings, start);
      const double best = error_of(*p, fit("newton", *p, {}, start).coefficients);
      EXPECT_LE(error_of(*p, summary.coefficients), 3 * best)
          << of.rare << " of " << of.rows << ", seed " << seed << ": " << summary.message;
    }
}

TEST_P(StochasticOptima, BoundsLeadToTheBoundedOptimum) {
  for (const prior::AnyPrior& prior : priors())
    for (std::uint64_t seed = 4; seed <= 6; ++seed) {
      const auto p = generated(seed, prior);
      if (!p->prior->convex()) continue;
      const model::Shape& shape = p->problem.shape;
      Bounds bounds{math::Vector(shape.size(), -HUGE_VAL), math::Vector(shape.size(), HUGE_VAL)};
      for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
        if (!p->prior->pinned(shape.index(0, v))) bounds.lower[shape.index(0, v)] = 0;
        if (!p->prior->pinned(shape.index(5, v))) bounds.upper[shape.index(5, v)] = 0.1;
      }
      StochasticSettings settings{.tolerance = 0};
      settings.constraints.bounds = &bounds;
      const FitSummary best = fit("saga", *p, settings, test::prior_means(*p));
      EXPECT_EQ(best.reason, Termination::converged)
          << best.message;  // its derivatives within the bounds vanish
      if (GetParam() != "saga") settings.epochs = 60;
      const FitSummary summary = fit(GetParam(), *p, settings, test::prior_means(*p));
      EXPECT_LE(error_of(*p, summary.coefficients), error_of(*p, best.coefficients) * 1.04)
          << summary.message;
      for (std::size_t i = 0; i < shape.size(); ++i) {
        EXPECT_GE(summary.coefficients[i], bounds.lower[i]);
        EXPECT_LE(summary.coefficients[i], bounds.upper[i]);
      }
    }
}

TEST_P(StochasticOptima, AFewExactStepsReachTheCertificate) {
  for (const prior::AnyPrior& prior : {gaussian, prior::AnyPrior(prior::Laplace::from_variance(0.6))}) {
    const auto p = generated(5, prior);
    const StochasticSettings settings{.epochs = 5};
    const auto start = test::prior_means(*p);
    FitRequest request;
    request.problem = p->problem;
    request.start = start;
    request.stochastic = &settings;
    struct Written final : Observer {
      std::vector<PassReport> passes;
      void on_pass(const PassReport& report) override { passes.push_back(report); }
    } seen;
    request.observer = &seen;
    const FitClock clock(request);
    const FitSummary end = finish_exactly(request, clock, 12, find_optimizer(GetParam()).run(request));
    EXPECT_EQ(end.reason, Termination::converged) << end.message;
    ASSERT_EQ(seen.passes.size(), end.trace.size());
    for (std::size_t i = 1; i < seen.passes.size(); ++i) {
      EXPECT_GT(seen.passes[i].pass, seen.passes[i - 1].pass);
      EXPECT_GE(seen.passes[i].seconds, seen.passes[i - 1].seconds);
    }
    EXPECT_GE(end.passes, end.trace.back().pass);
    EXPECT_GE(end.trace.size(), 6u);
    EXPECT_GT(end.trace.back().pass, 5u);
    const FitSummary one = finish_exactly(request, clock, 1, find_optimizer("sgd").run(request));
    EXPECT_NE(one.message.find("1 exact step:"), std::string::npos) << one.message;
  }
}

INSTANTIATE_TEST_SUITE_P(catalog, StochasticOptima, testing::ValuesIn(stochastic_names()),
                         [](const auto& test) { return test.param; });

// On the ball the gradient of the error points straight inwards.
TEST(MaxNorm, LeadsToTheOptimumOnTheBall) {
  for (const std::string name : {"sgd", "momentum"}) {
    const auto p = generated(4, gaussian);
    StochasticSettings settings{.epochs = 300, .tolerance = 0};
    settings.constraints.max_norm = 0.7;
    const FitSummary summary = fit(name, *p, settings, test::prior_means(*p));
    objective::Posterior posterior(p->problem);
    math::Vector gradient(summary.coefficients.size());
    posterior.value_and_gradient(summary.coefficients, gradient);
    double bb = 0, gg = 0, bg = 0;
    for (std::size_t i = 0; i < p->problem.shape.num_features; ++i) {
      bb += summary.coefficients[i] * summary.coefficients[i];
      gg += gradient[i] * gradient[i];
      bg += summary.coefficients[i] * gradient[i];
    }
    EXPECT_NEAR(std::sqrt(bb), 0.7, 1e-3);
    EXPECT_LT(bg / std::sqrt(bb * gg), -0.99) << name;
  }
}

}  // namespace
}  // namespace lazylogit::optim
