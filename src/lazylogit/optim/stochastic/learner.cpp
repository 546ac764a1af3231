#include "lazylogit/optim/stochastic/learner.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "lazylogit/optim/stochastic/dense_ledger.hpp"
#include "lazylogit/optim/stochastic/erased_learner.hpp"
#include "lazylogit/optim/stochastic/lazy_ledger.hpp"
#include "lazylogit/optim/stochastic/ledger_learner.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/optim/stochastic/rule_learner.hpp"
#include "lazylogit/optim/stochastic/scaled_ledger.hpp"
#include "lazylogit/optim/stochastic/vector_ledgers.hpp"

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

// The ledgers that do quickly what LazyLedger does in general: one flow for all coefficients, no averages.
template <class P>
std::unique_ptr<Learner> make_quick(const objective::Problem& problem, const prior::SharedPrior<P>& view,
                                    double num_examples, std::span<const double> start) {
  const bool one = problem.shape.num_vectors() == 1;
  if constexpr (std::is_same_v<P, prior::Gaussian> || std::is_same_v<P, prior::Uniform>) {
    double precision = 0;
    if constexpr (std::is_same_v<P, prior::Gaussian>) precision = view.prior.precision;
    if (one)
      return make_from<LedgerLearner>(problem, num_examples, ScaledLedger<false>(problem, precision, start));
    return make_from<LedgerLearner>(problem, num_examples, ScaledLedger<true>(problem, precision, start));
  } else {
    if (one) return make_from<LedgerLearner>(problem, num_examples, OneVectorLedger<P>(problem, view, start));
    return make_from<LedgerLearner>(problem, num_examples, WideLedger<P>(problem, view, start));
  }
}

std::unique_ptr<Learner> make_quick(const objective::Problem& problem, double num_examples,
                                    std::span<const double> start) {
  return problem.prior->visit([&]<class View>(const View& view) -> std::unique_ptr<Learner> {
    using P = typename View::Family;
    if constexpr (!View::shared) {
      return nullptr;
    } else if constexpr (std::is_same_v<P, prior::ElasticNet>) {
      if (view.prior.l1 == 0) {
        const prior::SharedPrior<prior::Gaussian> gaussian{{view.prior.l2}, view.num_penalized};
        return make_quick(problem, gaussian, num_examples, start);
      }
      if (view.prior.l1 / view.prior.l2 < 1e12) return make_quick(problem, view, num_examples, start);
      if (view.prior.l2 > 0) return nullptr;  // l1/l2 is not a number to compute with
      const prior::SharedPrior<prior::Laplace> laplace{{view.prior.l1}, view.num_penalized};
      return make_quick(problem, laplace, num_examples, start);
    } else {
      return make_quick(problem, view, num_examples, start);
    }
  });
}

template <class Step>
std::unique_ptr<Learner> make_with_step(const objective::Problem& problem, const StochasticSettings& options,
                                        double num_examples, std::span<const double> start) {
  const Step step(max_precision(*problem.prior));
  return problem.prior->visit([&]<class View>(const View& view) -> std::unique_ptr<Learner> {
    if (options.prior_every > 0) {
      using Ledger = DenseLedger<View, Step>;
      return make_from<LedgerLearner>(
          problem, num_examples, Ledger(problem, view, step, start, options.average, options.prior_every));
    }
    using Ledger = LazyLedger<View, Step>;
    return make_from<LedgerLearner>(problem, num_examples,
                                    Ledger(problem, view, step, start, options.average));
  });
}

}  // namespace

std::unique_ptr<Learner> make_learner(const objective::Problem& problem, const StochasticSettings& options,
                                      double num_examples, std::span<const double> start) {
  if (!std::holds_alternative<PlainRule>(options.rule) || options.constraints.any() ||
      !problem.choice_ends.empty())
    return make_rule_learner(problem, options, num_examples, start);
  switch (options.prior_step) {
    case PriorStep::compound:
      return make_with_step<CompoundStep>(problem, options, num_examples, start);
    case PriorStep::linear:
      return make_with_step<LinearStep>(problem, options, num_examples, start);
    case PriorStep::flow:
      break;
  }
  if (options.prior_every == 0 && !options.average && options.quick)
    if (auto learner = make_quick(problem, num_examples, start)) return learner;
  return make_with_step<FlowStep>(problem, options, num_examples, start);
}

}  // namespace lazylogit::optim
