#include "lazylogit/train/optimizer_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/train/choices.hpp"
#include "lazylogit/train/kernel_features.hpp"
#include "lazylogit/train/option_owners.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/responses.hpp"

namespace lazylogit::train {
namespace {

constexpr std::array<std::pair<std::string_view, optim::PriorStep>, 3> prior_steps{
    {{"flow", optim::PriorStep::flow},
     {"compound", optim::PriorStep::compound},
     {"linear", optim::PriorStep::linear}}};
constexpr std::array<std::pair<std::string_view, optim::DecayPer>, 2> decay_units{
    {{"epoch", optim::DecayPer::epoch}, {"example", optim::DecayPer::example}}};

constexpr std::array<std::pair<std::string_view, optim::StepRule>, 3> step_rules{
    {{"wolfe", optim::StepRule::wolfe},
     {"backtracking", optim::StepRule::backtracking},
     {"none", optim::StepRule::constant}}};

template <class List>
auto find_choice(const List& list, const std::string& name, const char* option) {
  for (const auto& [key, value] : list)
    if (key == name) return value;
  throw ConfigError("unknown choice " + quote_text(name), option);
}

}  // namespace

prior::PriorTable sample_prior(const TrainOptions& options) {
  prior::PriorTable prior(make_prior(options), 2, 2);
  if (!options.prior_covariance.empty() && options.prior == prior::Gaussian::name) {
    prior.make_per_coordinate();
    prior.couple(*prior::Coupling::make({1, 0.5, 0.5, 1}, {0, 1}));
  }
  return prior;
}

optim::Choice choice_of(const std::string& name, const objective::Problem& problem) {
  if (name != "auto") return {&optim::find_optimizer(name), {}};
  return problem.choice_ends.empty() ? optim::choose_optimizer(problem) : choose_for_choices(problem);
}

optim::Choice choose_optimizer(const TrainOptions& options, const objective::Problem& problem) {
  const optim::Choice choice = choice_of(options.optimizer, problem);
  if (const auto reason = choice.optimizer->refuses(conditions_of(problem)))
    throw ConfigError(*reason, "optimizer");
  return choice;
}

optim::Conditions conditions_of(const objective::Problem& problem) {
  return {.prior = *problem.prior, .centered = !problem.centers.empty()};
}

optim::Conditions conditions_of(const TrainOptions& options, const prior::PriorTable& prior) {
  const bool centers = options.standardize == "center" && options.kernel == "none";
  return {.prior = prior, .centered = centers && (options.prior_intercept || !options.intercept)};
}

namespace {

// Numbers of one kind of posterior given for another, and priors that a kind does not take.
void check_posterior(const TrainOptions& options) {
  const TrainOptions defaults;
  const auto belongs = [&](bool changed, const char* option, const char* kind) {
    if (changed && options.posterior != kind)
      throw ConfigError(fmt::format("belongs to --posterior {}", kind), option);
  };
  belongs(options.posterior_rank != defaults.posterior_rank, "posterior-rank", "low-rank");
  belongs(options.samples != defaults.samples, "samples", "samples");
  belongs(options.warmup != defaults.warmup, "warmup", "samples");
  belongs(options.chains != defaults.chains, "chains", "samples");
  if (options.posterior == "variational" && options.prior != prior::Gaussian::name &&
      options.prior != prior::Uniform::name)
    throw ConfigError("the variational bounds need a gaussian prior; this one is " + options.prior,
                      "posterior", "take samples, which every prior has");
}

}  // namespace

void check_options(const TrainOptions& options) {
  make_prior(options);
  check_response(options);
  if (options.symmetric && !options.reference.empty())
    throw ConfigError("contradicts --symmetric, which has no reference", "reference");
  if (!options.intercept && options.prior_intercept)
    throw ConfigError("contradicts --no-intercept", "prior-intercept");
  if (options.prior == prior::Uniform::name && options.prior_file.empty())
    for (const auto& [given, option] :
         {std::pair{options.scale_prior, "scale-prior"}, {options.prior_intercept, "prior-intercept"}})
      if (given) throw ConfigError("the uniform prior leaves every coefficient free", option, "leave it out");
  if (options.prior == prior::Uniform::name)
    for (const auto& [given, option] : {std::pair{options.prior_step != "flow", "prior-step"},
                                        {options.dense_updates, "dense-updates"},
                                        {options.prior_every.has_value(), "prior-every"}})
      if (given) throw ConfigError("the uniform prior takes no steps", option, "leave it out");
  if (options.scale_prior && options.standardize != "none")
    throw ConfigError("it does what --standardize does without touching the data; give one of them",
                      "scale-prior");
  if (!options.prior_covariance.empty() && options.prior != prior::Gaussian::name)
    throw ConfigError("a covariance belongs to the gaussian prior; this one is " + options.prior,
                      "prior-covariance");
  check_posterior(options);
  check_kernel(options);
  if (!options.prior_covariance.empty() && options.posterior == "low-rank")
    throw ConfigError("low-rank takes each coefficient's prior by itself, which --prior-covariance does not",
                      "posterior", "take full or diagonal");
  if (options.restarts > 0 && options.prior != "cauchy")
    throw ConfigError("the " + options.prior + " prior has one optimum; restarts are for cauchy", "restarts");
  stochastic_settings(options);
  batch_settings(options);
}

void check_optimizer(const TrainOptions& options) {
  if (options.optimizer != "auto") optim::find_optimizer(options.optimizer);
  check_use(options, options.optimizer);
  if (options.optimizer == "auto" || !options.prior_file.empty()) return;
  const prior::PriorTable prior = sample_prior(options);
  if (const auto reason = optim::find_optimizer(options.optimizer).refuses(conditions_of(options, prior)))
    throw ConfigError(*reason, "optimizer");
}

void check_schedule(const TrainOptions& options) {
  const char* const option = options.anneal ? "anneal" : options.decay_per != "epoch" ? "decay-per" : nullptr;
  if (option == nullptr) return;
  if (options.schedule == "constant")
    throw ConfigError("a constant learning rate does not fall", option, "choose another --schedule");
  if (options.schedule == "adaptive")
    throw ConfigError("an adaptive learning rate follows the error, not a time", option,
                      "choose another --schedule");
}

std::optional<ErrorDetail> schedule_warning(const TrainOptions& options, std::string_view optimizer) {
  for (const optim::ScheduleEntry& entry : optim::schedules) {
    if (entry.name != options.schedule) continue;
    const bool falls = optimizer == "adagrad";
    const auto failure = optim::robbins_monro_failure(entry.kind, falls);
    if (!failure) return std::nullopt;
    return ErrorDetail{.kind = ErrorKind::usage,
                       .message = fmt::format("schedule {}: {}", options.schedule, *failure),
                       .hint = falls ? "without --schedule adagrad's rates fall as they should"
                                     : "the inverse schedule has neither trouble",
                       .code = "schedule"};
  }
  return std::nullopt;
}

optim::StochasticSettings stochastic_settings(const TrainOptions& options) {
  if (options.dense_updates && options.prior_every)
    throw ConfigError("it contradicts --dense-updates, which regularizes at every example", "prior-every");
  check_schedule(options);
  if (options.finish > 0 && (!options.bounds.empty() || options.max_norm))
    throw ConfigError("exact steps know nothing of --bounds and --max-norm", "finish", "leave it out");
  if (options.max_norm && !options.bounds.empty())
    throw ConfigError("it cannot be combined with --bounds", "max-norm", "give one of them");
  if (options.prior_step != "flow" && (!options.bounds.empty() || options.max_norm))
    throw ConfigError("--bounds and --max-norm take the exact flow", "prior-step", "leave it out");
  optim::StochasticSettings settings;
  settings.constraints.max_norm = options.max_norm;
  settings.prior_step = find_choice(prior_steps, options.prior_step, "prior-step");
  settings.prior_every = options.dense_updates ? 1 : options.prior_every.value_or(0);
  settings.epochs = options.epochs;
  settings.tolerance = options.tolerance;
  settings.learning_rate = options.learning_rate;
  if (!options.schedule.empty())
    settings.schedule = find_choice(optim::schedules, options.schedule, "schedule");
  settings.rule_settings = {.momentum = options.momentum,
                            .rho = options.rho,
                            .beta1 = options.beta1,
                            .beta2 = options.beta2,
                            .epsilon = options.epsilon,
                            .beta = options.beta};
  settings.anneal = options.anneal;
  settings.decay_per = find_choice(decay_units, options.decay_per, "decay-per");
  settings.batch_size = options.batch_size;
  settings.shards = options.shards;
  if (options.shards > 1 && (!options.bounds.empty() || options.max_norm))
    throw ConfigError("merged coefficients need not be within --bounds and --max-norm", "shards",
                      "leave it out");
  if (options.shards > 1 && options.average)
    throw ConfigError("shards are merged into one model, not averaged over time", "shards",
                      "leave it or --average out");
  settings.average = options.average;
  settings.shuffle = options.shuffle;
  settings.seed = options.seed;
  return settings;
}

std::optional<std::uint64_t> patience_of(const TrainOptions& options,
                                         const optim::OptimizerEntry* optimizer) {
  constexpr std::uint64_t usual = 5;
  if (options.early_stopping) return *options.early_stopping == 0 ? std::nullopt : options.early_stopping;
  // Those that end at the certified optimum go there.
  const bool exact = optimizer == nullptr || !optimizer->stochastic || optimizer->name == "saga";
  return exact ? std::nullopt : std::optional(usual);
}

optim::BatchSettings batch_settings(const TrainOptions& options) {
  optim::BatchSettings settings;
  settings.step_rule = find_choice(step_rules, options.line_search, "line-search");
  settings.step = options.step_size;
  if (settings.step && settings.step_rule != optim::StepRule::constant)
    throw ConfigError("a line search finds its own steps", "step-size", "add --line-search none");
  settings.momentum = options.momentum.value_or(0);
  settings.broyden = options.broyden;
  settings.memory = static_cast<std::size_t>(options.memory);
  settings.may_change = options.optimizer == "auto";
  return settings;
}

}  // namespace lazylogit::train
