// A learner of any ledger and loop behind the one interface.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "lazylogit/optim/stochastic/learner.hpp"

namespace lazylogit::optim {

// Owns any learner behind two calls per stretch of examples. Neither a virtual class template nor a shared pointer:
// clang 14 emits their tables without the functions in them when they come to life inside PriorTable::visit.
class ErasedLearner final : public Learner {
 public:
  using Owner = std::unique_ptr<void, void (*)(void*)>;
  using Learn =
      std::function<double(std::span<const std::uint64_t>, const Schedule&, Position, std::uint64_t)>;
  using Finish = std::function<void(std::span<double>)>;
  ErasedLearner(Owner owner, Learn learn, Finish finish)
      : owner_(std::move(owner)), learn_(std::move(learn)), finish_(std::move(finish)) {}
  double learn(std::span<const std::uint64_t> rows, const Schedule& schedule, Position at,
               std::uint64_t batch_size) override {
    return learn_(rows, schedule, at, batch_size);
  }
  void finish(std::span<double> coefficients) override { finish_(coefficients); }

 private:
  Owner owner_;
  Learn learn_;
  Finish finish_;
};

template <template <class> class Loop, class Ledger>
std::unique_ptr<Learner> make_from(const objective::Problem& problem, double num_examples, Ledger ledger) {
  using Concrete = Loop<Ledger>;
  auto* concrete = new Concrete(problem, num_examples, std::move(ledger));
  ErasedLearner::Owner owner(concrete, [](void* learner) { delete static_cast<Concrete*>(learner); });
  return std::make_unique<ErasedLearner>(
      std::move(owner),
      [concrete](std::span<const std::uint64_t> rows, const Schedule& schedule, Position at,
                 std::uint64_t batch_size) { return concrete->learn(rows, schedule, at, batch_size); },
      [concrete](std::span<double> coefficients) { concrete->finish(coefficients); });
}

}  // namespace lazylogit::optim
