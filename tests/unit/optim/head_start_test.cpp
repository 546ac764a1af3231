#include "lazylogit/optim/stochastic/head_start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

using test::make_sparse_problem;
using test::SparseProblem;
using test::two_classes;

const model::Shape four_vectors{.num_classes = 4, .reference = {}};

// Rows whose labels follow their features.
std::unique_ptr<SparseProblem> make_problem(std::size_t rows, const model::Shape& shape,
                                            const prior::AnyPrior& prior) {
  auto p = make_sparse_problem({.num_rows = rows, .shape = shape}, prior);
  const auto& values = std::get<Buffer<double>>(p->x.values);
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> score(shape.num_classes, 0.0);
    for (std::uint64_t k = p->x.row_offsets[r]; k < p->x.row_offsets[r + 1]; ++k)
      score[p->x.ids[k] % shape.num_classes] += values[k];
    p->labels[r] = static_cast<ClassId>(std::max_element(score.begin(), score.end()) - score.begin());
  }
  return p;
}

double error_of(const SparseProblem& p, std::span<const double> b) {
  return objective::evaluate_error(p.problem, b).error();
}

FitRequest request_for(const SparseProblem& p, std::span<const double> start) {
  FitRequest request;
  request.problem = p.problem;
  request.start = start;
  return request;
}

TEST(HeadStart, EpochsLowerTheErrorUnderEveryConvexPrior) {
  for (const prior::AnyPrior& prior :
       {prior::AnyPrior{prior::Gaussian::from_variance(1)},
        prior::AnyPrior{prior::Gaussian::from_variance(1e6)},
        prior::AnyPrior{prior::Laplace::from_variance(2)}, prior::AnyPrior{prior::ElasticNet{0.5, 0.5}}})
    for (const model::Shape& shape : {two_classes, four_vectors}) {
      const auto p = make_problem(2000, shape, prior);
      const auto start = test::prior_means(*p);
      const HeadStart head = find_head_start(request_for(*p, start), 2);
      EXPECT_EQ(head.epochs, 2u);
      EXPECT_LT(error_of(*p, head.coefficients), error_of(*p, start));
    }
}

TEST(HeadStart, KeepsTheStartThatIsBetter) {
  const auto p = make_problem(2000, two_classes, prior::Gaussian::from_variance(1));
  const auto zero = test::prior_means(*p);
  FitRequest request = request_for(*p, zero);
  request.gap = 1e-9;
  const FitSummary optimum = find_optimizer("newton").run(request);
  const HeadStart head = find_head_start(request_for(*p, optimum.coefficients), 1);
  EXPECT_EQ(head.epochs, 0u);
  EXPECT_EQ(head.coefficients, optimum.coefficients);
}

TEST(HeadStart, ReachesTheSameOptimum) {
  struct Route {
    prior::AnyPrior prior;
    const char* optimizer;
  };
  for (const Route& route : {Route{prior::Gaussian::from_variance(1), "newton"},
                             Route{prior::Laplace::from_variance(2), "coordinate"}})
    for (const model::Shape& shape : {two_classes, four_vectors}) {
      const auto p = make_problem(2000, shape, route.prior);
      const auto start = test::prior_means(*p);
      FitRequest request = request_for(*p, start);
      request.gap = 1e-9;
      const OptimizerEntry& optimizer = find_optimizer(route.optimizer);
      const FitSummary plain = run_from_head_start(optimizer, request, 0);
      const FitSummary ahead = run_from_head_start(optimizer, request, 3);
      EXPECT_EQ(plain.reason, Termination::converged);
      EXPECT_EQ(ahead.reason, Termination::converged);
      const double lowest = error_of(*p, plain.coefficients);
      EXPECT_NEAR(error_of(*p, ahead.coefficients), lowest, 2e-9 * lowest);
      EXPECT_GT(ahead.trace.front().pass, 3u) << "its epochs count as passes";
    }
}

struct SeenAfterHeadStart final : Observer {
  std::vector<PassReport> passes;
  void on_pass(const PassReport& report) override { passes.push_back(report); }
};

TEST(HeadStart, ObserversSeeItsEpochsAsPasses) {
  const auto p = make_problem(2000, two_classes, prior::Gaussian::from_variance(1));
  const auto start = test::prior_means(*p);
  SeenAfterHeadStart seen;
  FitRequest request = request_for(*p, start);
  request.observer = &seen;
  const FitSummary fit = run_from_head_start(find_optimizer("newton"), request, 3);
  ASSERT_EQ(seen.passes.size(), fit.trace.size());
  EXPECT_EQ(seen.passes.front().pass, 4u);
  for (std::size_t i = 0; i < fit.trace.size(); ++i) {
    EXPECT_EQ(seen.passes[i].pass, fit.trace[i].pass);
    EXPECT_EQ(seen.passes[i].seconds, fit.trace[i].seconds);
  }
  EXPECT_GE(fit.passes, fit.trace.back().pass);
}

// The plateau is told by the passes of the whole fit, too.
TEST(HeadStart, CountsInTheMessageOfEarlyStopping) {
  const auto p = make_problem(2000, two_classes, prior::Gaussian::from_variance(1));
  const auto start = test::prior_means(*p);
  FitRequest request = request_for(*p, start);
  int looks = 0;
  request.holdout_log_loss = [&](std::span<const double>) { return ++looks; };
  request.patience = 1;
  const FitSummary fit = run_from_head_start(find_optimizer("newton"), request, 3);
  EXPECT_NE(fit.message.find("after pass 4,"), std::string::npos) << fit.message;
}

TEST(HeadStart, ThreadsChangeNoByte) {
  const auto p = make_problem(3000, four_vectors, prior::Gaussian::from_variance(1));
  const auto start = test::prior_means(*p);
  const auto with_threads = [&](std::size_t threads) {
    const ThreadLimit limit(threads);
    return find_head_start(request_for(*p, start), 1);
  };
  const HeadStart one = with_threads(1), five = with_threads(5);
  EXPECT_EQ(one.epochs, 1u);
  EXPECT_EQ(one.coefficients, five.coefficients);
}

TEST(HeadStart, EndsWhenTheCallerWantsAnEnd) {
  const auto p = make_problem(9000, two_classes, prior::Gaussian::from_variance(1));
  const auto start = test::prior_means(*p);
  FitRequest request = request_for(*p, start);
  request.max_seconds = 0;
  EXPECT_EQ(find_head_start(request, 1000000).epochs, 0u);
  EXPECT_EQ(run_from_head_start(find_optimizer("newton"), request, 1000000).reason, Termination::max_seconds);
}

}  // namespace
}  // namespace lazylogit::optim
