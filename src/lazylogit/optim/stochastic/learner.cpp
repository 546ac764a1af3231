#include "lazylogit/optim/stochastic/learner.hpp"

#include <algorithm>

#include "lazylogit/optim/stochastic/dense_ledger.hpp"
#include "lazylogit/optim/stochastic/lazy_ledger.hpp"
#include "lazylogit/optim/stochastic/ledger_learner.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"

namespace lazylogit::optim {
namespace {

// The largest factor of −b in R'(b) that compound steps turn into a product.
double max_precision(const prior::PriorTable& table) {
  return table.visit([&]<class View>(const View& view) {
    double largest = 0;
    for (std::size_t i = 0; i < (View::shared ? 1 : table.size()); ++i)
      if constexpr (std::is_same_v<typename View::Family, prior::Gaussian>)
        largest = std::max(largest, view.at(i).precision);
      else if constexpr (std::is_same_v<typename View::Family, prior::ElasticNet>)
        largest = std::max(largest, view.at(i).l2);
    return largest;
  });
}

template <class Step>
std::unique_ptr<Learner> make_with_step(const objective::Problem& problem, const StochasticSettings& options,
                                        double num_examples, std::span<const double> start) {
  const Step step(max_precision(*problem.prior));
  return problem.prior->visit([&]<class View>(const View& view) -> std::unique_ptr<Learner> {
    if (options.prior_every > 0) {
      using Ledger = DenseLedger<View, Step>;
      return std::make_unique<LedgerLearner<Ledger>>(
          problem, num_examples, Ledger(problem, view, step, start, options.average, options.prior_every));
    }
    using Ledger = LazyLedger<View, Step>;
    return std::make_unique<LedgerLearner<Ledger>>(problem, num_examples,
                                                   Ledger(problem, view, step, start, options.average));
  });
}

}  // namespace

std::unique_ptr<Learner> make_learner(const objective::Problem& problem, const StochasticSettings& options,
                                      double num_examples, std::span<const double> start) {
  switch (options.prior_step) {
    case PriorStep::compound:
      return make_with_step<CompoundStep>(problem, options, num_examples, start);
    case PriorStep::linear:
      return make_with_step<LinearStep>(problem, options, num_examples, start);
    case PriorStep::flow:
      break;
  }
  return make_with_step<FlowStep>(problem, options, num_examples, start);
}

}  // namespace lazylogit::optim
