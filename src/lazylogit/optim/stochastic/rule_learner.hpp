// Learners for the update rules (rules/) and for constrained coefficients.
#pragma once

#include <memory>
#include <span>

#include "lazylogit/optim/stochastic/learner.hpp"

namespace lazylogit::optim {

// As make_learner, for any settings.rule with or without constraints; the prior step is the flow.
std::unique_ptr<Learner> make_rule_learner(const objective::Problem& problem,
                                           const StochasticSettings& settings, double num_examples,
                                           std::span<const double> start);

}  // namespace lazylogit::optim
