// What a caller can choose about stochastic training, apart from the problem itself.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <variant>

#include "lazylogit/optim/stochastic/constraints.hpp"
#include "lazylogit/optim/stochastic/rules/any_rule.hpp"
#include "lazylogit/optim/stochastic/schedule.hpp"

namespace lazylogit::optim {

// What a stretch of skipped regularization amounts to (prior_step.hpp has the formulas).
enum class PriorStep {
  flow,      // the exact solution of the prior's differential equation
  compound,  // the discrete steps one after another, each clipped at the mode
  linear,    // one long step with the slope at its start, clipped at the mode
};

struct StochasticSettings {
  AnyRule rule = PlainRule{};  // set by the optimizer that runs, from rule_settings
  RuleSettings rule_settings = {};
  Constraints constraints = {};

  PriorStep prior_step = PriorStep::flow;
  // 0: lazily, a coefficient at a time, just before it is needed. N: all coefficients every N examples
  // (1: dense updates).
  std::uint64_t prior_every = 0;

  std::optional<std::uint64_t> epochs = {};  // nothing: the optimizer's own number
  double tolerance = 1e-5;  // stop when |a − b|/(|a| + |b|) of successive errors falls below
  std::optional<double> learning_rate = {};   // nothing: chosen on a sample
  std::optional<ScheduleKind> schedule = {};  // nothing: the rule's own
  std::optional<double> anneal = {};          // in epochs, or in examples; nothing: Schedule's own choice
  DecayPer decay_per = DecayPer::epoch;

  std::uint64_t batch_size = 1;
  bool quick = true;     // false: never the vector forms (to compare with them)
  bool average = false;  // return the time-weighted mean of all iterates
  bool shuffle = true;
  std::uint64_t seed = 1;
  std::uint64_t shards = 1;  // copies of the coefficients that learn side by side (sharded_learner.hpp)

  Schedule make_schedule(double rate, double num_examples) const noexcept {
    const ScheduleKind kind =
        schedule ? *schedule
                 : std::visit([](const auto& r) { return std::decay_t<decltype(r)>::schedule; }, rule);
    return {.kind = kind,
            .per = decay_per,
            .rate = rate,
            .anneal = anneal ? *anneal : Schedule::default_anneal(kind, decay_per, num_examples)};
  }
};

}  // namespace lazylogit::optim
