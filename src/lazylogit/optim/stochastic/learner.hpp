// One stochastic learner: coefficients in training, fed with stretches of examples. Which ledger works behind
// it is decided once, in make_learner.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/schedule.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"

namespace lazylogit::optim {

struct Position {  // progress before the first example of a stretch
  std::uint64_t epoch = 0;
  std::uint64_t example = 0;  // over all epochs
};

class Learner {
 public:
  virtual ~Learner() = default;
  // Learns the examples `rows` in order, in mini-batches of `batch_size`; returns Σ w (−log p), each taken
  // just before its example is learned.
  virtual double learn(std::span<const std::uint64_t> rows, const Schedule& schedule, Position at,
                       std::uint64_t batch_size) = 0;
  // Makes up all regularization that is due and writes the coefficients (the average, if asked for). Learning
  // may go on afterwards; prior clocks have restarted.
  virtual void finish(std::span<double> coefficients) = 0;
};

// `num_examples` is n of the prior's η/n. Everything in `problem` must outlive the learner.
std::unique_ptr<Learner> make_learner(const objective::Problem& problem, const StochasticSettings& options,
                                      double num_examples, std::span<const double> start);

}  // namespace lazylogit::optim
