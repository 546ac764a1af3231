#include "lazylogit/cli/predictive_options.hpp"

#include <fmt/format.h>

#include <array>
#include <span>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/config/option_set.hpp"

namespace lazylogit::cli {
namespace {

constexpr std::array<PredictiveName, 3> names{{{bayes::PredictiveForm::plug_in, "plug-in"},
                                               {bayes::PredictiveForm::probit, "probit"},
                                               {bayes::PredictiveForm::monte_carlo, "monte-carlo"}}};

}  // namespace

std::span<const PredictiveName> predictive_names() { return names; }

const config::Table<PredictiveOptions>& predictive_fields() {
  static const config::Table<PredictiveOptions> table = [] {
    config::TableBuilder<PredictiveOptions> t;
    t.group("Uncertainty");
    std::vector<std::string> forms;
    for (const PredictiveName& row : names) forms.emplace_back(row.name);
    t.add({.name = "predictive",
           .value = "FORM",
           .help = "probabilities at the optimum (plug-in), or averaged over the model's posterior",
           .choices = forms},
          &PredictiveOptions::predictive);
    t.add({.name = "draws",
           .value = "N",
           .help = "monte-carlo: draws per row",
           .bounds = config::between(2, 1'000'000)},
          &PredictiveOptions::draws);
    t.add({.name = "seed", .value = "N", .help = "monte-carlo: of the draws"}, &PredictiveOptions::seed);
    return std::move(t).build();
  }();
  return table;
}

bayes::PredictiveSettings predictive_settings(const PredictiveOptions& options, const model::Model& model,
                                              const config::OptionSet& given,
                                              std::optional<double> intervals) {
  bayes::PredictiveSettings settings;
  for (const PredictiveName& row : names)
    if (options.predictive == row.name) settings.form = row.form;
  settings.draws = options.draws;
  const bool samples = model.posterior && model.posterior->kind == model::PosteriorKind::samples;
  if (samples && !given.given("draws")) settings.draws = model.posterior->sampling.num_draws();
  if (samples && given.given("seed"))
    throw ConfigError("the draws are the model's own samples, which are not drawn again", "seed");
  if (samples && settings.draws > model.posterior->sampling.num_draws())
    throw ConfigError("the model has " + counted(model.posterior->sampling.num_draws(), "sample"), "draws");
  settings.seed = options.seed;
  settings.intervals = intervals.has_value();
  settings.level = intervals.value_or(settings.level);
  const char* hint = "train it with --posterior";
  if (!model.posterior && settings.intervals)
    throw ConfigError("the model has no posterior", "intervals", hint);
  if (!model.posterior && settings.form != bayes::PredictiveForm::plug_in)
    throw ConfigError("the model has no posterior", "predictive", hint);
  if (settings.form != bayes::PredictiveForm::monte_carlo)
    for (const char* name : {"draws", "seed"})
      if (given.given(name)) throw ConfigError("belongs to --predictive monte-carlo", name);
  return settings;
}

}  // namespace lazylogit::cli
