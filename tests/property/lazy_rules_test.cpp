// The laziness of update rules: touching only what an example contains ends where regularizing every coefficient at
// every example ends. For every rule, prior, shape, schedule, with mini-batches, averages and bounds; ftrl against a
// direct evaluation of its definition.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/ftrl_ledger.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/residual.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"
#include "lazylogit/optim/stochastic/rule_learner.hpp"
#include "support/sparse_problem.hpp"

namespace lazylogit::optim {
namespace {

using test::priors;
using test::SparseProblem;

const std::vector<AnyRule>& rules() {
  static const std::vector<AnyRule> list{PlainRule{}, Momentum{}, AdaGrad{}, AdaDelta{},
                                         RmsProp{},   Adam{},     AdaMax{}};
  return list;
}

using Make = decltype(&make_rule_learner);

math::Vector run(const SparseProblem& p, const StochasticSettings& settings, const Schedule& schedule,
                 Make make = make_rule_learner) {
  const auto rows = test::positive_rows(p);
  std::vector<double> start = test::prior_means(p);
  for (std::size_t i = 0; i < start.size(); ++i)
    if (i % p.problem.shape.stride() < p.problem.shape.num_vectors() && !p.prior->pinned(i))
      start[i] += 0.05 * static_cast<double>(i % 5);
  const auto learner = make(p.problem, settings, static_cast<double>(rows.size()), start);
  math::Vector b(start.size());
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
    learner->learn(rows, schedule, {epoch, epoch * rows.size()}, settings.batch_size);
    learner->finish(b);
  }
  return b;
}

void expect_equal(const math::Vector& lazy, const math::Vector& dense, double tolerance = 1e-11) {
  double scale = 1;
  for (const double b : dense) scale = std::max(scale, std::abs(b));
  for (std::size_t i = 0; i < lazy.size(); ++i)
    EXPECT_NEAR(lazy[i], dense[i], tolerance * scale) << "at " << i;
}

void for_each_problem(const std::function<void(const SparseProblem&)>& body) {
  for (const prior::AnyPrior& prior : priors())
    for (const std::size_t classes : {2u, 3u})
      for (const bool scattered : {false, true}) {
        model::Shape shape{.num_classes = classes};
        if (classes == 2) shape.reference = ClassId{0};
        const auto p = test::make_sparse_problem({.shape = shape, .weights = true}, prior);
        if (scattered) test::scatter_prior(*p, 5);
        SCOPED_TRACE(std::string(p->prior->family()) + (scattered ? " per coordinate " : " shared ") +
                     std::to_string(classes) + " classes");
        body(*p);
      }
}

Schedule schedule_of(ScheduleKind kind, double rate = 0.3) {
  return {.kind = kind, .per = DecayPer::example, .rate = rate, .anneal = 30};
}

Bounds bounds_of(const SparseProblem& p) {
  Bounds bounds{math::Vector(p.problem.shape.size(), -HUGE_VAL),
                math::Vector(p.problem.shape.size(), HUGE_VAL)};
  for (std::size_t i = 0; i < bounds.lower.size(); ++i) {
    if (i % 4 == 1) bounds.lower[i] = 0;
    if (i % 4 == 2) bounds.upper[i] = 0.02, bounds.lower[i] = -0.3;
    if (i % 4 == 3) bounds.lower[i] = 0.1;  // leaves the prior's mean outside
  }
  return bounds;
}

TEST(LazyRules, EqualDenseUpdates) {
  for_each_problem([](const SparseProblem& p) {
    for (const AnyRule& rule : rules())
      for (const bool average : {false, true})
        for (const std::uint64_t batch : {1u, 7u})
          for (const bool bounded : {false, true}) {
            SCOPED_TRACE("rule " + std::to_string(rule.index()) + " average " + std::to_string(average) +
                         " batch " + std::to_string(batch) + " bounded " + std::to_string(bounded));
            const Bounds bounds = bounds_of(p);
            StochasticSettings settings{.rule = rule, .batch_size = batch, .average = average};
            if (bounded) settings.constraints.bounds = &bounds;
            const Schedule schedule = schedule_of(ScheduleKind::inverse);
            const auto lazy = run(p, settings, schedule);
            settings.prior_every = 1;
            const auto dense = run(p, settings, schedule);
            expect_equal(lazy, dense);
            for (std::size_t i = 0; bounded && i < lazy.size(); ++i)
              if (!p.prior->pinned(i) && i % p.problem.shape.stride() < p.problem.shape.num_vectors()) {
                EXPECT_GE(lazy[i], bounds.lower[i]);
                EXPECT_LE(lazy[i], bounds.upper[i]);
              }
          }
  });
}

// The plain rule is what lazy_ledger.hpp and the vector forms do.
TEST(LazyRules, PlainRuleEqualsSgd) {
  for_each_problem([](const SparseProblem& p) {
    for (const bool average : {false, true})
      for (const std::uint64_t batch : {1u, 7u}) {
        const StochasticSettings settings{.batch_size = batch, .average = average};
        const Schedule schedule = schedule_of(ScheduleKind::power);
        expect_equal(run(p, settings, schedule), run(p, settings, schedule, make_learner));
      }
  });
}

// b(t) from its definition, for every coefficient at every example; averages by Simpson's rule over each example.
math::Vector leader(const SparseProblem& p, double rate, double beta, bool average) {
  const auto rows = test::positive_rows(p);
  const model::Shape& shape = p.problem.shape;
  const double n = static_cast<double>(rows.size());
  math::Vector z(shape.size()), g2(shape.size(), 0.0), sums(shape.size(), 0.0), b(shape.size());
  std::vector<double> start = test::prior_means(p);
  for (std::size_t i = 0; i < start.size(); ++i)
    if (i % shape.stride() < shape.num_vectors() && !p.prior->pinned(i))
      start[i] += 0.05 * static_cast<double>(i % 5);
  for (std::size_t i = 0; i < start.size(); ++i) z[i] = -beta / rate * start[i];
  const auto value = [&](std::size_t i, double tau) {
    if (p.prior->pinned(i)) return start[i];
    const double h = (beta + std::sqrt(g2[i])) / rate, m = p.prior->mean(i);
    return m +
           std::visit([&](const auto& prior) { return prior.prox(-z[i] / h - m, tau / h); }, p.prior->at(i));
  };
  Residual residual(p.problem);
  RowBuffer row(p.problem);
  double t = 0;
  for (int epoch = 0; epoch < 3; ++epoch)
    for (const std::uint64_t r : rows) {
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = value(i, t / n);
      std::vector<double> s(residual.room(), 0.0);
      row.load(r);
      for (std::size_t k = 0; k < row.size(); ++k)
        for (std::size_t c = 0; c < shape.num_vectors(); ++c)
          s[c] += row.value(k) * b[shape.index(row.id(k), c)];
      residual(r, p.problem.weight(r), s.data());
      for (std::size_t k = 0; k < row.size(); ++k)
        for (std::size_t c = 0; c < shape.num_vectors(); ++c) {
          const std::size_t i = shape.index(row.id(k), c);
          const double g = row.value(k) * s[c];
          z[i] += g - (std::sqrt(g2[i] + g * g) - std::sqrt(g2[i])) / rate * b[i];
          g2[i] += g * g;
        }
      for (std::size_t i = 0; i < b.size(); ++i)
        for (int k = 0; k < 8; ++k) {
          const double from = (t + k / 8.0) / n, step = 1 / (8 * n);
          sums[i] += step / 6 * (value(i, from) + 4 * value(i, from + step / 2) + value(i, from + step));
        }
      ++t;
    }
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = average ? sums[i] * n / t : value(i, t / n);
  return b;
}

TEST(LazyRules, FtrlEqualsItsDefinition) {
  for_each_problem([](const SparseProblem& p) {
    if (!p.prior->convex()) return;
    for (const bool average : {false, true}) {
      const StochasticSettings settings{.rule = Ftrl{0.5}, .average = average};
      const auto b = run(p, settings, schedule_of(ScheduleKind::constant, 0.4));
      // Simpson's rule knows nothing of the kink at zero.
      expect_equal(b, leader(p, 0.4, 0.5, average), average ? 1e-5 : 1e-11);
    }
  });
}

TEST(LazyRules, IntegralOfTheLeaderWithinBounds) {
  for (const double l1 : {0.0, 0.7})
    for (const double l2 : {0.0, 1e-9, 0.4, 30.0})
      for (const double u : {-2.0, 0.3, 1.5})
        for (const Interval interval : {Interval{}, Interval{-0.2, 0.6}, Interval{0.1, 0.5}}) {
          const LeaderPath path{u, 1.3, l1, l2};
          double sum = 0;
          constexpr int pieces = 200000;
          for (int k = 0; k < pieces; ++k)
            sum += interval.clamp(path.at(0.1 + 2.0 * (k + 0.5) / pieces)) * 2.0 / pieces;
          EXPECT_NEAR(path.integral(0.1, 2.1, interval), sum, 1e-9)
              << "l1 " << l1 << " l2 " << l2 << " u " << u << " in " << interval.lower << ", "
              << interval.upper;
        }
}

TEST(LazyRules, TheBallIsKept) {
  for_each_problem([](const SparseProblem& p) {
    for (const AnyRule& rule : {AnyRule{PlainRule{}}, AnyRule{Momentum{}}})
      for (const bool average : {false, true}) {
        if (!p.prior->shared()) continue;
        StochasticSettings settings{.rule = rule, .average = average};
        settings.constraints.max_norm = 0.5;
        const auto b = run(p, settings, schedule_of(ScheduleKind::inverse));
        double sum = 0;
        for (std::size_t i = 0; i < p.problem.shape.num_features * p.problem.shape.stride(); ++i)
          sum += b[i] * b[i];
        EXPECT_LE(std::sqrt(sum), 0.5 * (1 + 1e-12));
        EXPECT_GT(sum, 0.01);
      }
  });
}

}  // namespace
}  // namespace lazylogit::optim
