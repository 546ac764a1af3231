#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/online/density_filter.hpp"
#include "lazylogit/optim/online/gradient_steps.hpp"
#include "lazylogit/optim/online/kalman_filter.hpp"
#include "lazylogit/optim/online/leader_steps.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/optim/online/perceptron.hpp"
#include "lazylogit/optim/online/rule_steps.hpp"
#include "lazylogit/optim/stochastic/rules/any_rule.hpp"

namespace lazylogit::optim {
namespace {

std::optional<std::string> accepts_all(const OnlineSettings&) { return std::nullopt; }

std::optional<std::string> needs_rate(const OnlineSettings& settings) {
  if (settings.rate) return std::nullopt;
  return "in a stream the optimizer \"sgd\" needs a --learning-rate; adagrad needs none";
}

std::optional<std::string> learns_classes(const OnlineSettings& settings) {
  if (settings.response == data::Response::classes && !settings.choices) return std::nullopt;
  return "in a stream the optimizer \"perceptron\" learns classes alone";
}

template <bool adaptive>
std::unique_ptr<OnlineLearner> make_gradient(const OnlineSettings& settings) {
  return std::visit(
      [&]<class P>(const P& prior) -> std::unique_ptr<OnlineLearner> {
        return std::make_unique<GradientSteps<P, adaptive>>(prior, settings);
      },
      settings.prior);
}

std::optional<std::string> rule_learns_classes(const OnlineSettings& settings) {
  if (settings.response == data::Response::classes && !settings.choices) return std::nullopt;
  return "in a stream it learns classes alone; adagrad, the default, learns other labels too";
}

template <class Rule>
std::unique_ptr<OnlineLearner> make_rule(const OnlineSettings& settings) {
  constexpr double rate = std::is_same_v<Rule, AdaDelta> ? 1 : 0.01;
  return std::visit(
      [&]<class P>(const P& prior) -> std::unique_ptr<OnlineLearner> {
        return std::make_unique<RuleSteps<P, Rule>>(prior, Rule::from(settings.rule_settings), settings,
                                                    rate);
      },
      settings.prior);
}

std::optional<std::string> needs_convex(const OnlineSettings& settings) {
  if (!std::holds_alternative<prior::Cauchy>(settings.prior)) return rule_learns_classes(settings);
  return "the optimizer \"ftrl\" needs a convex prior; \"cauchy\" is none";
}

std::unique_ptr<OnlineLearner> make_leader(const OnlineSettings& settings) {
  const LeaderSteps::Penalty penalty = std::visit(
      [](const auto& prior) {
        return LeaderSteps::Penalty{prior.slope(), prior.curvature(0)};
      },
      settings.prior);
  return std::make_unique<LeaderSteps>(penalty, Ftrl::from(settings.rule_settings).beta, settings);
}

std::optional<std::string> needs_gaussian(const OnlineSettings& settings) {
  const auto* const gaussian = std::get_if<prior::Gaussian>(&settings.prior);
  if (gaussian != nullptr && gaussian->precision > 0) return std::nullopt;
  return "the optimizer \"adf\" needs a gaussian prior of finite variance: its belief begins there";
}

std::optional<std::string> learns_density(const OnlineSettings& settings) {
  if (settings.response == data::Response::labels || settings.choices)
    return "in a stream the optimizer \"adf\" learns classes or a number; take adagrad or sgd";
  if (settings.response == data::Response::number && settings.forget < 1)
    return "under the squared loss the optimizer \"adf\" is exact and forgets nothing";
  return needs_gaussian(settings);
}

std::unique_ptr<OnlineLearner> make_adf(const OnlineSettings& settings) {
  return settings.response == data::Response::number ? make_kalman_filter(settings)
                                                     : make_density_filter(settings);
}

constexpr std::array catalog{
    OnlineEntry{"adagrad", "a rate for each coefficient, in the units of its feature; needs no tuning",
                accepts_all, make_gradient<true>},
    OnlineEntry{"sgd", "one learning rate that falls by a schedule", needs_rate, make_gradient<false>},
    OnlineEntry{"ftrl", "follows the regularized leader: exact zeros under laplace and elastic-net priors",
                needs_convex, make_leader},
    OnlineEntry{"adam", "moments of gradients, by the touches of a feature", rule_learns_classes,
                make_rule<Adam>},
    OnlineEntry{"adamax", "adam with the largest gradient for a scale", rule_learns_classes,
                make_rule<AdaMax>},
    OnlineEntry{"rmsprop", "gradients over the root of their recent mean square", rule_learns_classes,
                make_rule<RmsProp>},
    OnlineEntry{"adadelta", "steps in the units of earlier steps", rule_learns_classes, make_rule<AdaDelta>},
    OnlineEntry{"perceptron", "moves on mistakes alone; --average for the averaged perceptron",
                learns_classes, make_perceptron},
    OnlineEntry{
        "adf",
        "Bayesian: a Gaussian belief over each coefficient by assumed-density filtering; under the squared "
        "loss the Kalman filter, exact after one pass",
        learns_density, make_adf},
};

}  // namespace

std::span<const OnlineEntry> online_learners() { return catalog; }

const OnlineEntry* find_online_learner(std::string_view name) {
  for (const OnlineEntry& entry : catalog)
    if (entry.name == name) return &entry;
  return nullptr;
}

bool is_online_only(std::string_view name) {
  const auto all = optimizers();
  return find_online_learner(name) != nullptr &&
         std::none_of(all.begin(), all.end(),
                      [&](const OptimizerEntry& entry) { return entry.name == name; });
}

double scalar(const Scalars& scalars, std::string_view name) {
  for (const auto& [key, value] : scalars)
    if (key == name) return value;
  throw InputError({.message = fmt::format("the model's state lacks {}", name), .code = "bad-model"});
}

}  // namespace lazylogit::optim
