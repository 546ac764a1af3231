// How predictions use a model's posterior: the options that predict and evaluate share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "lazylogit/bayes/predictive.hpp"
#include "lazylogit/config/field.hpp"
#include "lazylogit/config/option_set.hpp"

namespace lazylogit::cli {

struct PredictiveOptions {
  std::string predictive = "plug-in";  // plug-in | probit | monte-carlo
  std::uint64_t draws = 1000;
  std::uint64_t seed = 1;
};

// Group "Uncertainty".
const config::Table<PredictiveOptions>& predictive_fields();

// The forms of the posterior predictive, by their names.
struct PredictiveName {
  bayes::PredictiveForm form;
  const char* name;
};
std::span<const PredictiveName> predictive_names();

// Refuses options that need a posterior when the model has none, and numbers that would have no effect.
bayes::PredictiveSettings predictive_settings(const PredictiveOptions& options, const model::Model& model,
                                              const config::OptionSet& given,
                                              std::optional<double> intervals);

}  // namespace lazylogit::cli
