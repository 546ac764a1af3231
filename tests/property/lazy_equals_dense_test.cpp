// Lazy updates end where updates of every coefficient at every example end: for every prior, schedule, shape
// of the parameters, kind of values, with shared and per-coordinate priors, mini-batches and averages.
#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

using test::SparseProblem;
using test::ValueKind;

struct Named {
  const char* name;
  prior::AnyPrior prior;
};
const std::vector<Named>& all_priors() {
  static const std::vector<Named> list{{"uniform", prior::Uniform{}},
                                       {"gaussian", prior::Gaussian::from_variance(0.4)},
                                       {"laplace", prior::Laplace::from_variance(0.6)},
                                       {"cauchy", prior::Cauchy::from_scale(0.7)},
                                       {"elastic net", prior::ElasticNet{0.5, 1.5}},
                                       {"elastic net without l2", prior::ElasticNet{0.8, 0}}};
  return list;
}

math::Vector run(const SparseProblem& p, const StochasticSettings& settings, const Schedule& schedule) {
  const auto rows = test::positive_rows(p);
  const auto start = test::prior_means(p);
  const auto learner = make_learner(p.problem, settings, static_cast<double>(rows.size()), start);
  math::Vector b(start.size());
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
    learner->learn(rows, schedule, {epoch, epoch * rows.size()}, settings.batch_size);
    learner->finish(b);
  }
  return b;
}

void expect_equal(const math::Vector& lazy, const math::Vector& dense) {
  double scale = 1;
  for (const double b : dense) scale = std::max(scale, std::abs(b));
  for (std::size_t i = 0; i < lazy.size(); ++i) EXPECT_NEAR(lazy[i], dense[i], 1e-12 * scale) << "at " << i;
}

void compare(const SparseProblem& p, StochasticSettings settings) {
  for (const auto& schedule : schedules)
    for (const DecayPer per : {DecayPer::epoch, DecayPer::example}) {
      const Schedule s{
          .kind = schedule.kind, .per = per, .rate = 0.7, .anneal = per == DecayPer::epoch ? 2.0 : 30.0};
      SCOPED_TRACE(std::string(schedule.name) + (per == DecayPer::epoch ? " per epoch" : " per example"));
      settings.prior_every = 0;
      const auto lazy = run(p, settings, s);
      settings.prior_every = 1;
      expect_equal(lazy, run(p, settings, s));
    }
}

std::vector<model::Shape> shapes() {
  return {{.num_classes = 2, .reference = ClassId{0}},
          {.num_classes = 2, .reference = ClassId{1}, .has_intercept = false},
          {.num_classes = 2},
          {.num_classes = 3, .reference = ClassId{1}},
          {.num_classes = 3},
          {.num_classes = 5, .has_intercept = false},
          {.num_classes = 9, .reference = ClassId{8}},
          {.num_classes = 8},
          {.num_classes = 20}};
}

template <class Body>
void for_each_problem(Body&& body) {
  for (const Named& prior : all_priors())
    for (const model::Shape& shape : shapes())
      for (const bool scattered : {false, true})
        for (const ValueKind values : {ValueKind::ones, ValueKind::floats, ValueKind::doubles}) {
          const bool one = shape.num_vectors() == 1;
          const auto p = test::make_sparse_problem(
              {.shape = shape, .values = values, .weights = values != ValueKind::floats, .offsets = one},
              prior.prior);
          if (scattered) test::scatter_prior(*p, 5);
          SCOPED_TRACE(std::string(prior.name) + (scattered ? " per coordinate, " : " shared, ") +
                       std::to_string(shape.num_vectors()) + " vectors, values " +
                       std::to_string(static_cast<int>(values)));
          body(*p);
        }
}

TEST(LazyEqualsDense, FlowSteps) {
  for_each_problem([](const SparseProblem& p) { compare(p, {}); });
}
TEST(LazyEqualsDense, CompoundSteps) {
  for_each_problem([](const SparseProblem& p) { compare(p, {.prior_step = PriorStep::compound}); });
}
TEST(LazyEqualsDense, MiniBatches) {
  for_each_problem([](const SparseProblem& p) { compare(p, {.batch_size = 7}); });
}
TEST(LazyEqualsDense, Averages) {
  for_each_problem([](const SparseProblem& p) { compare(p, {.average = true}); });
}
TEST(LazyEqualsDense, AveragesOfCompoundSteps) {
  for_each_problem(
      [](const SparseProblem& p) { compare(p, {.prior_step = PriorStep::compound, .average = true}); });
}

// The paper's rule is exact for Laplace alone.
TEST(LazyEqualsDense, LinearStepsUnderLaplaceOnly) {
  for (const Named& prior : all_priors()) {
    const auto p = test::make_sparse_problem(
        {.density = 0.05, .shape = {.num_classes = 2, .reference = ClassId{0}}}, prior.prior);
    StochasticSettings settings{.prior_step = PriorStep::linear};
    const Schedule schedule{.kind = ScheduleKind::constant, .rate = 0.9};
    const auto lazy = run(*p, settings, schedule);
    settings.prior_every = 1;
    const auto dense = run(*p, settings, schedule);
    double difference = 0;
    for (std::size_t i = 0; i < lazy.size(); ++i)
      difference = std::max(difference, std::abs(lazy[i] - dense[i]));
    const std::string_view name = prior.name;
    if (name == "gaussian" || name == "cauchy") {
      EXPECT_GT(difference, 1e-6) << name;
    }
    if (name == "laplace" || name == "uniform") {
      EXPECT_LT(difference, 1e-12) << name;
    }
  }
}

// All coefficients every N examples with flows: only what happens between two regularizations may differ.
TEST(LazyEqualsDense, EveryNApproachesDense) {
  const auto p =
      test::make_sparse_problem({.shape = {.num_classes = 3}}, prior::Gaussian::from_variance(0.4));
  const Schedule schedule{.kind = ScheduleKind::constant, .rate = 0.01};
  const auto dense = run(*p, {.prior_every = 1}, schedule);
  const auto every = run(*p, {.prior_every = 10}, schedule);
  for (std::size_t i = 0; i < dense.size(); ++i) EXPECT_NEAR(every[i], dense[i], 1e-3);
  EXPECT_NE(every[0], dense[0]);
}

TEST(LazyEqualsDense, PinnedCoefficientsStayAtTheirMeans) {
  for_each_problem([](const SparseProblem& p) {
    const auto b = run(p, {}, {.kind = ScheduleKind::constant, .rate = 0.5});
    for (std::size_t i = 0; i < b.size(); ++i)
      if (p.prior->pinned(i)) {
        EXPECT_EQ(b[i], p.prior->mean(i));
      }
  });
}

}  // namespace
}  // namespace lazylogit::optim
