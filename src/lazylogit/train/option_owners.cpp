#include "lazylogit/train/option_owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/train/optimizer_choice.hpp"

namespace lazylogit::train {
namespace {

using Names = std::vector<std::string_view>;

constexpr std::array<std::string_view, 3> automatic_ones{"newton", "lbfgs",
                                                         "coordinate"};  // what auto may take

Names names_of(bool stochastic) {
  Names names;
  for (const optim::OptimizerEntry& entry : optim::optimizers())
    if (entry.stochastic == stochastic) names.push_back(entry.name);
  return names;
}

Names without(Names names, std::string_view name) {
  std::erase(names, name);
  return names;
}

// Options that only some optimizers understand; those of stochastic training that are not listed are for all of that kind.
struct Owned {
  std::string_view option;
  Names optimizers;
  std::string_view instead = {};  // what serves the others
};
const std::vector<Owned>& owned() {
  static const std::vector<Owned> list = [] {
    const Names exact = names_of(false), by_epochs = without(names_of(true), "saga"),
                scheduled = without(by_epochs, "ftrl");
    Names certified = exact;
    certified.emplace_back("saga");
    return std::vector<Owned>{
        {"memory", {"lbfgs"}},
        {"broyden", {"bfgs"}},
        {"line-search", {"gd"}},
        {"step-size", {"gd"}},
        {"momentum", {"gd", "momentum"}},
        {"rho", {"adadelta", "rmsprop"}},
        {"beta1", {"adam", "adamax"}},
        {"beta2", {"adam", "adamax"}},
        {"epsilon", {"adagrad", "adadelta", "rmsprop", "adam", "adamax"}},
        {"beta", {"ftrl"}},
        {"forget", {"adf"}},
        {"gap", certified, "add --finish to reach a gap after the epochs"},
        {"max-passes", exact, "--epochs limits stochastic ones"},
        {"restarts", exact},
        {"tolerance", by_epochs},
        {"batch-size", by_epochs},
        {"average", by_epochs},
        {"max-norm", {"sgd", "momentum"}},
        {"shards", {"sgd"}},
        {"prior-step", {"sgd"}},
        {"dense-updates", scheduled},
        {"prior-every", scheduled},
        {"schedule", scheduled},
    };
  }();
  return list;
}

// Null: all optimizers know it.
const Owned* owners_of(const config::FieldInfo& option, const TrainOptions& options) {
  static const Owned stochastic{"", names_of(true)};
  static const Owned scheduled{"", without(without(names_of(true), "saga"), "ftrl")};
  static const Owned falling{"", without(scheduled.optimizers, "adagrad"),
                             "adagrad's own rate is constant but for what it divides by; add --schedule"};
  if (option.name == "anneal" || option.name == "decay-per")
    return options.schedule.empty() ? &falling : &scheduled;
  if (option.name == "gap" && options.finish > 0) return nullptr;
  for (const Owned& entry : owned())
    if (entry.option == option.name) return &entry;
  return option.group == "Stochastic training" ? &stochastic : nullptr;
}

bool is_known_to(std::string_view optimizer, const Owned* owners) {
  if (owners == nullptr) return true;
  if (optimizer == "auto")
    return std::all_of(automatic_ones.begin(), automatic_ones.end(),
                       [&](std::string_view name) { return is_known_to(name, owners); });
  const Names& names = owners->optimizers;
  return std::find(names.begin(), names.end(), optimizer) != names.end();
}

// Those that also accept the prior, if there are any.
Names worth_naming(const Owned& owners, const TrainOptions& options) {
  const prior::PriorTable prior = sample_prior(options);
  Names names = owners.optimizers;
  if (!options.prior_file.empty()) return names;
  for (const optim::OptimizerEntry& entry : optim::optimizers())
    if (entry.refuses(prior)) std::erase(names, entry.name);
  return names.empty() ? owners.optimizers : names;
}

ConfigError unknown_to(std::string_view optimizer, const std::string& option, const Owned& owners,
                       const TrainOptions& options) {
  const std::string names = fmt::format("{}", fmt::join(worth_naming(owners, options), ", "));
  if (optimizer == "auto") {
    Names ignorant;
    for (const std::string_view name : automatic_ones)
      if (!is_known_to(name, &owners)) ignorant.push_back(name);
    return ConfigError(fmt::format("it has no meaning for {}, which auto may take", optim::one_of(ignorant)),
                       option, "name an optimizer that it is for with --optimizer: " + names);
  }
  const std::string instead = owners.instead.empty() ? "" : fmt::format("; {}", owners.instead);
  return ConfigError(fmt::format("it has no meaning for the optimizer {}", optimizer), option,
                     fmt::format("it is for {}{}", names, instead));
}

// Calls `see` with every option that was given and its owners.
template <class See>
void visit_given(const TrainOptions& options, const See& see) {
  for (const config::Field& field : train_fields().fields)
    if (field.get(&options) != field.default_text) see(field.info, owners_of(field.info, options));
}

}  // namespace

void check_use(const TrainOptions& options, std::string_view optimizer) {
  visit_given(options, [&](const config::FieldInfo& option, const Owned* owners) {
    if (!is_known_to(optimizer, owners)) throw unknown_to(optimizer, option.name, *owners, options);
  });
}

void check_some_use(const TrainOptions& options, const std::vector<std::string>& optimizers) {
  visit_given(options, [&](const config::FieldInfo& option, const Owned* owners) {
    if (std::none_of(optimizers.begin(), optimizers.end(),
                     [&](std::string_view name) { return is_known_to(name, owners); }))
      throw ConfigError("it has no meaning for any of the optimizers compared", option.name,
                        fmt::format("it is for {}", fmt::join(worth_naming(*owners, options), ", ")));
  });
}

TrainOptions known_to(const TrainOptions& options, const std::string& optimizer) {
  TrainOptions known = options;
  known.optimizer = optimizer;
  for (const config::Field& field : train_fields().fields)
    if (!is_known_to(optimizer, owners_of(field.info, options))) field.reset(&known);
  return known;
}

std::string stochastic_choice(const TrainOptions& options) {
  const auto knows_all = [&](std::string_view name) {
    bool all = true;
    visit_given(options, [&](const config::FieldInfo&, const Owned* owners) {
      all = all && is_known_to(name, owners);
    });
    return all;
  };
  for (const std::string_view name : names_of(true))
    if (knows_all(name)) return std::string(name);
  return "sgd";
}

bool is_constrained(const TrainOptions& options) { return !options.bounds.empty() || options.max_norm; }

std::optional<ConfigError> refuses_constraints(const TrainOptions& options, std::string_view optimizer) {
  std::optional<ConfigError> error;
  visit_given(options, [&](const config::FieldInfo& option, const Owned* owners) {
    if ((option.name == "bounds" || option.name == "max-norm") && !is_known_to(optimizer, owners))
      error = unknown_to(optimizer, option.name, *owners, options);
  });
  return error;
}

}  // namespace lazylogit::train
