// An epoch of stochastic training in shards: each has its own examples and its own copy of the coefficients, and copies are
// merged after the epoch, in the order of shards. So shards may work at the same time, and threads change no byte.
//
// All shards begin an epoch at the same b. With Δ_s what shard s made of a coefficient and c_s the sum of w x² of its
// feature there,
//   b ← b + κ Σ_s Δ_s,   κ = max_s c_s / Σ_s c_s
// For a feature that all shards have seen alike that is their average; for one that a single shard knows, what that shard
// learned. An average goes as far as one shard went. A coefficient that has far to go, as that of a rare feature has after an epoch of short steps,
// would have gone on with the examples of the others: with τ = η Σ_s c_s /4, how often its steps lead to where it settles (the curvature
// of a row is at most x²/4; x² for numbers),
//   b ← b + κ' Σ_s Δ_s,   κ' = (1 + κ τ)/(1 + τ)
// is the sum for τ → 0 and κ for τ → ∞. Features that go together settle sooner than each alone: κ' is taken for an epoch whose examples, some
// thousands of them, it explains better than κ does; rules with rates of their own keep κ. Where all shards come to the same number it is that: the zeros of a prior with a kink stay exact. Whatever κ, b
// rests only where the Δ_s cancel, at the optimum of all examples as far as steps are small; the prior acts
// for η/n in every shard, n all examples.
//
// Examples are dealt to shards once: shuffled, or in blocks of 1024 in turn where they are not to be shuffled. One shard is plain training.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "lazylogit/base/random.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"

namespace lazylogit::optim {

class ShardedLearner {
 public:
  // `rows`: the examples, of positive weight. Everything in `problem` and `settings` must outlive the learner.
  ShardedLearner(const objective::Problem& problem, const StochasticSettings& settings,
                 std::vector<std::uint64_t> rows, std::span<const double> start);

  struct Outcome {
    double loss = 0;             // Σ w (−log p), each taken just before its example is learned
    std::uint64_t examples = 0;  // learned
    bool complete = true;
  };
  // `stop` is asked now and then, by several threads at once.
  Outcome learn_epoch(const Schedule& schedule, std::uint64_t epoch, const std::function<bool()>& stop);
  // Merges the shards, and writes the coefficients. The next epoch begins there.
  void finish(std::span<double> coefficients);
  // Forgets everything but which examples are whose and the order of the next epoch.
  void restart(std::span<const double> start);

 private:
  struct Shard {
    Random random;
    std::vector<std::uint64_t> rows;
    std::unique_ptr<Learner> learner = nullptr;
    math::Vector coefficients = {};  // after finish(), of several shards
    Outcome outcome = {};
  };
  void deal(std::vector<std::uint64_t> rows);
  void weigh();
  void learn(Shard& shard, const Schedule& schedule, std::uint64_t epoch, const std::function<bool()>& stop);
  void merge(std::span<double> coefficients) const;
  void merge(std::span<double> coefficients, double pace) const;  // 0: κ alone
  std::vector<std::uint64_t> sample() const;

  const objective::Problem* problem_;
  const StochasticSettings* settings_;
  double num_examples_;
  std::vector<Shard> shards_;
  math::Vector start_;                    // of this epoch, of several shards
  std::vector<double> squares_, shares_;  // Σ c_s and max c_s / Σ c_s of each row of coefficients
  double pace_ = 0;                       // how far an example moves in this epoch, per unit of its gradient
};

}  // namespace lazylogit::optim
