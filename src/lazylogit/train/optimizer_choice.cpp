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

constexpr std::array<std::string_view, 2> exact_only{"max-passes", "restarts"};
constexpr std::array<std::string_view, 3> automatic_ones{"newton", "lbfgs",
                                                         "coordinate"};  // what auto may take
// Options that only some optimizers understand: every other one refuses them.
struct Owned {
  std::string_view option;
  std::vector<std::string_view> optimizers;
  bool exact = false;  // and all exact ones
};
const std::vector<Owned>& owned() {
  static const std::vector<Owned> list{
      {"memory", {"lbfgs"}},
      {"broyden", {"bfgs"}},
      {"prior-covariance", {"lbfgs", "newton", "irls", "lm", "bfgs", "cg", "gd"}},
      {"line-search", {"gd"}},
      {"step-size", {"gd"}},
      {"momentum", {"gd", "momentum"}},
      {"rho", {"adadelta", "rmsprop"}},
      {"beta1", {"adam", "adamax"}},
      {"beta2", {"adam", "adamax"}},
      {"epsilon", {"adagrad", "adadelta", "rmsprop", "adam", "adamax"}},
      {"beta", {"ftrl"}},
      {"forget", {"adf"}},
      {"gap", {"saga"}, true},
      {"tolerance", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax", "ftrl"}},
      {"batch-size", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax", "ftrl"}},
      {"average", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax", "ftrl"}},
      {"bounds", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax", "ftrl", "saga"}},
      {"max-norm", {"sgd", "momentum"}},
      {"shards", {"sgd"}},
      {"prior-step", {"sgd"}},
      {"dense-updates", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax"}},
      {"prior-every", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax"}},
      {"schedule", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax"}},
      {"anneal", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax"}},
      {"decay-per", {"sgd", "momentum", "adagrad", "adadelta", "rmsprop", "adam", "adamax"}},
  };
  return list;
}

template <class List>
auto find_choice(const List& list, const std::string& name, const char* option) {
  for (const auto& [key, value] : list)
    if (key == name) return value;
  throw ConfigError("unknown choice " + quote_text(name), option);
}

// Why an option means nothing to an optimizer, or nothing.
std::optional<ConfigError> meaningless(const config::FieldInfo& option,
                                       const optim::OptimizerEntry& optimizer) {
  for (const Owned& entry : owned()) {
    const auto& owners = entry.optimizers;
    if (entry.option != option.name) continue;
    if (entry.exact && !optimizer.stochastic) return std::nullopt;
    if (std::find(owners.begin(), owners.end(), optimizer.name) != owners.end()) return std::nullopt;
    return ConfigError(
        fmt::format("it has no meaning for the optimizer {}", optimizer.name), option.name,
        fmt::format("it is for {}{}", fmt::join(owners, ", "), entry.exact ? " and exact optimizers" : ""));
  }
  const bool stochastic_only = option.group == "Stochastic training";
  const bool exact = std::find(exact_only.begin(), exact_only.end(), option.name) != exact_only.end();
  if (!(optimizer.stochastic ? exact : stochastic_only)) return std::nullopt;
  return ConfigError(fmt::format("it has no meaning for the optimizer {}, which is {}", optimizer.name,
                                 optimizer.stochastic ? "stochastic" : "exact"),
                     option.name,
                     optimizer.stochastic ? "leave it out" : "add --optimizer sgd or leave it out");
}

// An option of the other kind of optimizer would be ignored: say so instead.
void check_kind(const TrainOptions& options, const optim::OptimizerEntry& optimizer) {
  for (const config::Field& field : train_fields().fields) {
    if (field.get(&options) == field.default_text) continue;
    if (const auto error = meaningless(field.info, optimizer)) throw *error;
  }
}

}  // namespace

bool centers_itself(const optim::OptimizerEntry& optimizer) { return !optimizer.stochastic; }

namespace {

[[noreturn]] void throw_about_centers(const optim::OptimizerEntry& optimizer, const char* option) {
  throw ConfigError(
      fmt::format(
          "{} cannot center columns without filling them; only an intercept without a prior would take up "
          "the means",
          optimizer.name),
      option, "take newton or lbfgs, or --standardize scale");
}

}  // namespace

void refuse_centers(const optim::OptimizerEntry& optimizer, const objective::Problem& problem,
                    const char* option) {
  if (!problem.centers.empty() && !centers_itself(optimizer)) throw_about_centers(optimizer, option);
}

prior::PriorTable sample_prior(const TrainOptions& options) {
  prior::PriorTable prior(make_prior(options), 2, 2);
  if (!options.prior_covariance.empty() && options.prior == prior::Gaussian::name) {
    prior.make_per_coordinate();
    prior.couple(*prior::Coupling::make({1, 0.5, 0.5, 1}, {0, 1}));
  }
  return prior;
}

bool will_center(const TrainOptions& options) {
  return options.standardize == "center" && options.kernel == "none" &&
         (options.prior_intercept || !options.intercept);
}

optim::Choice automatic_choice(const objective::Problem& problem) {
  return problem.choice_ends.empty() ? optim::choose_optimizer(problem) : choose_for_choices(problem);
}

optim::Choice choose_optimizer(const TrainOptions& options, const objective::Problem& problem) {
  optim::Choice choice = options.optimizer == "auto"
                             ? automatic_choice(problem)
                             : optim::Choice{&optim::find_optimizer(options.optimizer), {}};
  const optim::OptimizerEntry& optimizer = *choice.optimizer;
  check_kind(options, optimizer);
  if (const auto reason = optimizer.refuses(*problem.prior)) throw ConfigError(*reason, "optimizer");
  refuse_centers(optimizer, problem, "optimizer");
  return choice;
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
  if (options.optimizer == "auto") {
    for (const config::Field& field : train_fields().fields) {
      if (field.get(&options) == field.default_text) continue;
      const auto means_nothing = [&](std::string_view name) {
        return meaningless(field.info, optim::find_optimizer(name)).has_value();
      };
      if (std::all_of(automatic_ones.begin(), automatic_ones.end(), means_nothing))
        throw ConfigError("it has no meaning for the optimizers that auto takes", field.info.name,
                          "name another one with --optimizer, or leave it out");
    }
    return;
  }
  const optim::OptimizerEntry& optimizer = optim::find_optimizer(options.optimizer);
  check_kind(options, optimizer);
  if (!options.prior_file.empty()) return;
  if (const auto reason = optimizer.refuses(sample_prior(options))) throw ConfigError(*reason, "optimizer");
  if (will_center(options) && !centers_itself(optimizer)) throw_about_centers(optimizer, "optimizer");
}

void check_some_use(const TrainOptions& options,
                    const std::vector<const optim::OptimizerEntry*>& optimizers) {
  for (const config::Field& field : train_fields().fields) {
    if (field.get(&options) == field.default_text) continue;
    if (std::all_of(optimizers.begin(), optimizers.end(), [&](const optim::OptimizerEntry* optimizer) {
          return meaningless(field.info, *optimizer).has_value();
        }))
      throw ConfigError("it has no meaning for any of the optimizers compared", field.info.name);
  }
}

optim::StochasticSettings stochastic_settings(const TrainOptions& options) {
  if (options.dense_updates && options.prior_every)
    throw ConfigError("it contradicts --dense-updates, which regularizes at every example", "prior-every");
  const bool steady =
      options.schedule == "constant" || (options.schedule.empty() && options.optimizer == "adagrad");
  if (options.anneal && steady)
    throw ConfigError("a constant learning rate does not fall", "anneal", "choose another --schedule");
  if (options.anneal && options.schedule == "adaptive")
    throw ConfigError("an adaptive learning rate follows the error, not a time", "anneal",
                      "choose another --schedule");
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
