#include "lazylogit/optim/stochastic/rule_learner.hpp"

#include <variant>

#include "lazylogit/optim/stochastic/erased_learner.hpp"
#include "lazylogit/optim/stochastic/ftrl_ledger.hpp"
#include "lazylogit/optim/stochastic/gradient_learner.hpp"
#include "lazylogit/optim/stochastic/rule_ledger.hpp"

namespace lazylogit::optim {
namespace {

template <class Rule>
std::unique_ptr<Learner> make_with(const objective::Problem& problem, const Rule& rule,
                                   const StochasticSettings& options, double num_examples,
                                   std::span<const double> start) {
  return problem.prior->visit([&]<class View>(const View& view) -> std::unique_ptr<Learner> {
    using Ledger = RuleLedger<View, Rule>;
    return make_from<GradientLearner>(problem, num_examples, Ledger(problem, view, rule, start, options));
  });
}
std::unique_ptr<Learner> make_with(const objective::Problem& problem, const Ftrl& rule,
                                   const StochasticSettings& options, double num_examples,
                                   std::span<const double> start) {
  return problem.prior->visit([&]<class View>(const View& view) -> std::unique_ptr<Learner> {
    using Ledger = FtrlLedger<View>;
    return make_from<GradientLearner>(problem, num_examples,
                                      Ledger(problem, view, rule, num_examples, start, options));
  });
}

}  // namespace

std::unique_ptr<Learner> make_rule_learner(const objective::Problem& problem,
                                           const StochasticSettings& settings, double num_examples,
                                           std::span<const double> start) {
  return std::visit([&](const auto& rule) { return make_with(problem, rule, settings, num_examples, start); },
                    settings.rule);
}

}  // namespace lazylogit::optim
