// What an update rule is: how one coefficient moves when an example touches it, and how fast its prior acts in between.
//
// A rule sees the likelihood's gradient alone. At every touch it updates the coefficient's state and names two things:
//   step   what is added to the coefficient now, of the form −η · speed · (a mean of gradients)
//   speed  r, in units of the learning rate; it stays until the next touch, and the prior acts for r · η_t/n at each
//          example meanwhile
// The step and the prior share r, so where they balance the gradient of the whole error is zero. State changes at touches
// only, so r is constant in between and a stretch of missed regularization is one flow, of time r Σ η_t/n: exactly what
// regularizing every coefficient at every example would give, for every prior and schedule (rule_ledger.hpp).
//
// Rules that average gradients count the touches of a coefficient, not the examples: a word seen in every thousandth text
// has the mean of its own gradients, not one that faded a thousand times in between. For data without zeros
// that is the textbook rule. As the learning rate falls, the averages of squares grow longer with it: their weight 1 − ρ is
// multiplied by Pace::horizon, without which their noise would bias the fixed point.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>

#include "lazylogit/optim/stochastic/schedule.hpp"

namespace lazylogit::optim {

struct Pace {
  double rate = 0;     // the learning rate η of this step
  double horizon = 1;  // η over the first learning rate, at most 1
};

// What users can choose about rules; nothing: the rule's own default.
struct RuleSettings {
  std::optional<double> momentum = {};  // momentum
  std::optional<double> rho = {};       // adadelta, rmsprop
  std::optional<double> beta1 = {};     // adam, adamax
  std::optional<double> beta2 = {};     // adam, adamax
  std::optional<double> epsilon = {};   // adagrad, adadelta, rmsprop, adam, adamax
  std::optional<double> beta = {};      // ftrl
};

// per_feature and per_coefficient: doubles of state, all 0 at first.
//   begin(f, pace)        a feature is touched: its own state f
//   step(s, f, g, pace)   a coefficient of it has gradient g: its state s; returns the step
//   speed(s, f)           r as it stands
//   schedule              of the learning rate, unless asked otherwise
//   first_rate(m)         where a search for a learning rate begins; m = mean squared length of an example
template <class R>
concept UpdateRule = requires(const R& rule, double* state, const double* fixed, Pace pace, double number) {
  { R::from(RuleSettings{}) } -> std::same_as<R>;
  { R::schedule } -> std::convertible_to<ScheduleKind>;
  { R::per_feature } -> std::convertible_to<std::size_t>;
  { R::per_coefficient } -> std::convertible_to<std::size_t>;
  rule.begin(state, pace);
  { rule.step(state, fixed, number, pace) } -> std::same_as<double>;
  { rule.speed(fixed, fixed) } -> std::same_as<double>;
  { rule.first_rate(number) } -> std::same_as<double>;
};

}  // namespace lazylogit::optim
