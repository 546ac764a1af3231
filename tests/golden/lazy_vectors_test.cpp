// Catch-ups of one coefficient against 50-digit step-by-step arithmetic.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/optim/stochastic/rule_ledger.hpp"
#include "lazylogit/prior/cauchy.hpp"
#include "support/golden_case.hpp"
#include "support/golden_schedule.hpp"

namespace lazylogit::optim {
namespace {

using nlohmann::json;
using test::golden_case;
using test::golden_rates;

template <class Step>
Step after(const std::vector<double>& rates, double n, double max_precision) {
  Step step(max_precision);
  for (const double rate : rates) step.advance(rate / n, 1);
  return step;
}

void expect_relative(double actual, double expected, double tolerance, const json& where) {
  EXPECT_NEAR(actual, expected, tolerance * std::max(std::abs(expected), 1e-300)) << where.dump();
}

// The value after each of the steps, taken one at a time by `step(b, h)`.
template <class StepOnce>
std::vector<double> path(const std::vector<double>& rates, double n, double b, const StepOnce& step) {
  std::vector<double> values;
  for (const double rate : rates) values.push_back(b = step(b, rate / n));
  return values;
}

// As Algorithm 1 walks: compound steps of one example each, and proximal ones.
template <prior::Prior P>
std::vector<double> compound_path(const P& prior, const std::vector<double>& rates, double n, double b,
                                  double max_precision) {
  return path(rates, n, b, [&](double at, double h) {
    CompoundStep step(max_precision);
    step.advance(h, 1);
    return step.apply(prior, at, 0);
  });
}
template <prior::Prior P>
std::vector<double> proximal_path(const P& prior, const std::vector<double>& rates, double n, double b) {
  return path(rates, n, b, [&](double at, double h) { return prior.prox(at, h); });
}

double sum_of(const std::vector<double>& values) {
  long double sum = 0;
  for (const double value : values) sum += value;
  return static_cast<double>(sum);
}

// What averages add up is weighted by the steps: Σ h_t b_t, which for equal steps is h times the plain sum.
template <prior::Prior P>
void expect_sum_of_equal_steps(const CompoundStep& compound, const P& prior, const json& v, double expected,
                               double tolerance) {
  if (v.at("schedule").at("kind") != "constant") return;
  const double n = v.at("n"), eta = v.at("schedule").at("eta0");
  EXPECT_NEAR(compound.integral(prior, v.at("b0").get<double>(), 0) * n / eta, expected,
              tolerance * std::max(1.0, std::abs(expected)))
      << v.dump();
}

TEST(LazyGaussian, FlowCompoundAndProximalVectors) {
  const json file = golden_case("lazy_gaussian");
  for (const json& v : file.at("vectors")) {
    const double n = v.at("n"), b = v.at("b0"), tolerance = file.at("tolerance").at("rel");
    const auto prior = prior::Gaussian::from_variance(v.at("s2"));
    const auto rates = golden_rates(v.at("schedule"), n);
    const auto flow = after<FlowStep>(rates, n, prior.precision);
    const auto compound = after<CompoundStep>(rates, n, prior.precision);
    expect_relative(flow.apply(prior, b, 0), v.at("flow"), tolerance, v);
    // The integral runs over time η, ours over η/n.
    expect_relative(n * flow.integral(prior, b, 0), v.at("time_integral_flow"), tolerance, v);
    expect_relative(compound.apply(prior, b, 0), v.at("explicit_clipped_at_zero"), tolerance, v);
    double proximal = b;
    for (const double rate : rates) proximal = prior.prox(proximal, rate / n);
    expect_relative(proximal, v.at("proximal"), tolerance, v);
    expect_relative(sum_of(proximal_path(prior, rates, n, b)), v.at("sum_proximal"), tolerance, v);
    if (v.at("max_a").get<double>() >= 1)
      continue;  // the sum in the file crosses the mode; no step here does
    expect_relative(sum_of(compound_path(prior, rates, n, b, prior.precision)), v.at("sum_explicit"),
                    tolerance, v);
    expect_sum_of_equal_steps(compound, prior, v, v.at("sum_explicit"), tolerance);
  }
}

TEST(LazyLaplace, ThresholdVectorsUnderEveryStep) {
  const json file = golden_case("lazy_laplace");
  for (const json& v : file.at("vectors")) {
    const double n = v.at("n"), b = v.at("b0"), tolerance = file.at("tolerance").at("abs");
    const auto prior = prior::Laplace::from_variance(v.at("s2"));
    const auto rates = golden_rates(v.at("schedule"), n);
    const auto flow = after<FlowStep>(rates, n, 0);
    EXPECT_NEAR(flow.apply(prior, b, 0), v.at("result").get<double>(), tolerance) << v.dump();
    EXPECT_NEAR(after<CompoundStep>(rates, n, 0).apply(prior, b, 0), v.at("result").get<double>(), tolerance);
    EXPECT_NEAR(after<LinearStep>(rates, n, 0).apply(prior, b, 0), v.at("result").get<double>(), tolerance);
    const double integral = v.at("time_integral");
    EXPECT_NEAR(n * flow.integral(prior, b, 0), integral, tolerance * std::max(1.0, std::abs(integral)))
        << v.dump();
    // Soft thresholding is the flow, the discrete step and the proximal one alike.
    const double sum = v.at("sum_over_steps");
    for (const std::vector<double>&values :
         {compound_path(prior, rates, n, b, 0), proximal_path(prior, rates, n, b),
          path(rates, n, b, [&](double at, double h) { return prior.flow(at, h); })}) {
      EXPECT_NEAR(sum_of(values), sum, tolerance * std::max(1.0, std::abs(sum))) << v.dump();
      const auto zero = std::find(values.begin(), values.end(), 0.0);
      const json reached = zero == values.end() ? json() : json(zero - values.begin() + 1);
      EXPECT_EQ(reached, v.at("reaches_zero_at_missed_step")) << v.dump();
    }
    expect_sum_of_equal_steps(after<CompoundStep>(rates, n, 0), prior, v, sum, tolerance);
  }
}

TEST(LazyElasticNet, FlowCompoundAndProximalVectors) {
  const json file = golden_case("lazy_elasticnet");
  for (const json& v : file.at("vectors")) {
    const double n = v.at("n"), b = v.at("b0"), tolerance = file.at("tolerance").at("abs");
    const prior::ElasticNet prior{v.at("l1"), v.at("l2")};
    const auto rates = golden_rates(v.at("schedule"), n);
    const auto flow = after<FlowStep>(rates, n, prior.l2);
    EXPECT_NEAR(flow.apply(prior, b, 0), v.at("flow").get<double>(), tolerance) << v.dump();
    EXPECT_NEAR(after<CompoundStep>(rates, n, prior.l2).apply(prior, b, 0), v.at("explicit").get<double>(),
                tolerance)
        << v.dump();
    const double integral = v.at("time_integral_flow");
    EXPECT_NEAR(n * flow.integral(prior, b, 0), integral, tolerance * std::max(1.0, std::abs(integral)))
        << v.dump();
    double proximal = b;
    for (const double rate : rates) proximal = prior.prox(proximal, rate / n);
    EXPECT_NEAR(proximal, v.at("proximal").get<double>(), tolerance) << v.dump();
    const double sum = v.at("sum_explicit"), proximal_sum = v.at("sum_proximal");
    EXPECT_NEAR(sum_of(compound_path(prior, rates, n, b, prior.l2)), sum,
                tolerance * std::max(1.0, std::abs(sum)))
        << v.dump();
    EXPECT_NEAR(sum_of(proximal_path(prior, rates, n, b)), proximal_sum,
                tolerance * std::max(1.0, std::abs(proximal_sum)))
        << v.dump();
    expect_sum_of_equal_steps(after<CompoundStep>(rates, n, prior.l2), prior, v, sum, tolerance);
  }
}

TEST(LazyCauchy, FlowVectorsWithinTheirCondition) {
  const json file = golden_case("lazy_cauchy");
  for (const json& v : file.at("vectors")) {
    const double n = v.at("n"), b = v.at("b0"), condition = v.at("relative_condition");
    const auto prior = prior::Cauchy::from_scale(v.at("lambda"));
    FlowStep step;
    step.advance(v.at("T").get<double>() / n, 1);
    const double tolerance = 4e-15 * std::max(10.0, condition);
    expect_relative(step.apply(prior, b, 0), v.at("result"), tolerance, v);
    if (!v.at("time_integral").is_null() && std::abs(b) < 1e100)
      expect_relative(n * step.integral(prior, b, 0), v.at("time_integral"), tolerance, v);
  }
  for (const json& v : file.at("proximal_step"))
    EXPECT_NEAR(prior::Cauchy::from_scale(v.at("lambda")).prox(v.at("b"), v.at("tau")),
                v.at("prox").get<double>(), 1e-12 * std::abs(v.at("prox").get<double>()))
        << v.dump();
}

TEST(LazyCauchy, CompoundStepsAreTheExplicitOnes) {
  const json file = golden_case("lazy_cauchy");
  for (const json& v : file.at("euler_convergence"))
    for (const json& row : v.at("table")) {
      CompoundStep step(0);
      step.advance(row.at("eta").get<double>() / v.at("n").get<double>(), row.at("steps"));
      const auto prior = prior::Cauchy::from_scale(v.at("lambda"));
      expect_relative(step.apply(prior, v.at("b0").get<double>(), 0), row.at("euler"), 1e-12, v);
      expect_relative(step.integral(prior, v.at("b0").get<double>(), 0) / row.at("eta").get<double>() *
                          v.at("n").get<double>(),
                      row.at("sum_euler"), 1e-12, v);
    }
}

// Per-coordinate rates: a stretch of missed steps is a flow of time (rate of the coordinate) × (sum of α).
template <class P>
double adagrad(const json& v, const P& prior, bool proximal) {
  const double n = v.at("n"), eps = v.at("eps");
  std::map<int, double> touched;
  for (const json& pair : v.at("touched")) touched[pair.at(0)] = pair.at(1);
  const model::Shape shape{
      .num_features = 1, .num_classes = 2, .reference = ClassId{0}, .has_intercept = false};
  const double start = 0;
  objective::Problem problem;
  problem.shape = shape;
  RuleLedger ledger(problem, prior::SharedPrior<P>{prior, 1}, AdaGrad{eps}, {&start, 1}, {});
  double b = 0, g2 = 0, ignored = 0;
  for (int t = 0; t < v.at("total_steps").get<int>(); ++t) {
    const double alpha = test::golden_rate(v.at("alpha"), t, n);
    if (const auto g = touched.find(t); g != touched.end()) {
      g2 += g->second * g->second;
      b -= alpha * g->second / (eps + std::sqrt(g2));
      ledger.add_scores(0, 1, &ignored);
      ledger.touch(0, &g->second, {.rate = alpha});
    }
    if (g2 > 0) b = prior.prox(b, alpha / (eps + std::sqrt(g2)) / n);
    ledger.advance(alpha / n, 1);
  }
  double flow = 0;
  ledger.finish({&flow, 1});
  return proximal ? b : flow;
}

TEST(LazyAdagrad, FlowsScaleWithTheRateOfTheCoordinate) {
  const json file = golden_case("lazy_adagrad");
  for (const json& v : file.at("vectors")) {
    const std::string family = v.at("prior"), mode = v.at("mode");
    const json& parameters = v.at("parameters");
    const bool proximal = mode == "proximal";
    double b = 0;
    if (family == "gaussian") b = adagrad(v, prior::Gaussian::from_variance(parameters), proximal);
    if (family == "laplace") b = adagrad(v, prior::Laplace::from_variance(parameters), proximal);
    if (family == "cauchy") b = adagrad(v, prior::Cauchy::from_scale(parameters), proximal);
    if (family == "elasticnet")
      b = adagrad(v, prior::ElasticNet{parameters.at(0), parameters.at(1)}, proximal);
    EXPECT_NEAR(b, v.at("final").get<double>(), file.at("tolerance").at("abs").get<double>()) << v.dump();
  }
}

}  // namespace
}  // namespace lazylogit::optim
