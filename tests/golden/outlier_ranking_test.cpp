// The approximate ranking of rows against refits without each of them, and wrong labels found by it, on real data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "golden/golden_case.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/bayes/laplace_posterior.hpp"
#include "lazylogit/bayes/leave_one_out.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"

namespace lazylogit::golden {
namespace {

math::Vector optimum(const objective::Problem& problem, std::span<const double> start) {
  optim::FitRequest request;
  request.problem = problem;
  request.start = start;
  request.gap = 1e-11;
  return optim::find_optimizer("newton").run(request).coefficients;
}

std::vector<double> approximate(const objective::Problem& problem, const math::Vector& b) {
  model::Model model;
  model.shape = problem.shape;
  model.coefficients = b;
  model.record.num_examples = problem.labels.size();
  model.posterior =
      bayes::approximate_posterior(problem, b, model.record, {.kind = model::PosteriorKind::full}, {}, {});
  std::vector<double> result;
  for (const bayes::LeftOut& row : bayes::LeaveOneOut(problem, model).rows())
    result.push_back(row.log_probability);
  return result;
}

std::vector<double> refitted(const objective::Problem& problem, const math::Vector& b) {
  std::vector<double> result;
  for (std::size_t j = 0; j < problem.labels.size(); ++j) {
    std::vector<double> others(problem.labels.size(), 1.0), own(problem.labels.size(), 0.0);
    others[j] = 0;
    own[j] = 1;
    objective::Problem without = problem, alone = problem;
    without.weights = others;
    alone.weights = own;
    result.push_back(objective::evaluate_error(alone, optimum(without, b)).log_likelihood);
  }
  return result;
}

std::vector<std::size_t> order_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  return order;
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> rank_a(a.size()), rank_b(b.size());
  const auto order_a = order_of(a), order_b = order_of(b);
  for (std::size_t k = 0; k < a.size(); ++k) rank_a[order_a[k]] = rank_b[order_b[k]] = static_cast<double>(k);
  const double n = static_cast<double>(a.size());
  double squares = 0;
  for (std::size_t k = 0; k < a.size(); ++k) squares += (rank_a[k] - rank_b[k]) * (rank_a[k] - rank_b[k]);
  return 1 - 6 * squares / (n * (n * n - 1));
}

class OutlierRanking : public testing::TestWithParam<const char*> {};

TEST_P(OutlierRanking, OneStepRanksAsTheRefitsDo) {
  const Case c(GetParam());
  const objective::Problem problem = c.problem();
  const math::Vector b = optimum(problem, math::Vector(c.shape.size(), 0.0));
  const auto quick = approximate(problem, b), exact = refitted(problem, b);
  EXPECT_GE(rank_correlation(quick, exact), 0.99);
  auto first = order_of(quick), second = order_of(exact);
  first.resize(10);
  second.resize(10);
  std::sort(first.begin(), first.end());
  std::sort(second.begin(), second.end());
  EXPECT_EQ(first, second);
}

INSTANTIATE_TEST_SUITE_P(RealData, OutlierRanking,
                         testing::Values("bayes_wdbc_gauss", "bayes_birthwt_gauss", "iris_gauss_s2_1_ref"),
                         [](const auto& test) { return std::string(test.param); });

// Two labels in a hundred are flipped; most of them are among the first four in a hundred rows.
TEST(OutlierRanking, FindsFlippedLabels) {
  std::size_t hits = 0, all = 0;
  constexpr std::uint64_t trials = 20;
  for (std::uint64_t seed = 1; seed <= trials; ++seed) {
    Case c("wdbc_gauss_s2_1");
    const std::size_t n = c.labels.size(), flipped = n / 50, looked_at = n / 25;
    std::vector<std::size_t> rows(n);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    Random random(seed);
    random.shuffle(std::span<std::size_t>(rows));
    rows.resize(flipped);
    for (const std::size_t j : rows) c.labels[j] = 1 - c.labels[j];
    const objective::Problem problem = c.problem();
    auto found = order_of(approximate(problem, optimum(problem, math::Vector(c.shape.size(), 0.0))));
    found.resize(looked_at);
    for (const std::size_t j : rows) hits += std::count(found.begin(), found.end(), j) > 0 ? 1 : 0;
    all += flipped;
  }
  EXPECT_GE(static_cast<double>(hits), 0.9 * static_cast<double>(all)) << hits << " of " << all;
}

}  // namespace
}  // namespace lazylogit::golden
