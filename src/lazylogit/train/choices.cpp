#include "lazylogit/train/choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::train {
void check_sets(const data::Rows& rows) {
  const auto refuse = [](std::string code, std::string message) {
    throw InputError({.message = std::move(message), .code = std::move(code)});
  };
  std::uint64_t first = 0;
  for (const std::uint64_t last : rows.choice_ends) {
    const auto taken = std::count(rows.labels.begin() + first, rows.labels.begin() + last, ClassId{1});
    if (taken != 1)
      refuse("bad-choice", fmt::format("choice {}, rows {} to {}: {} candidates are taken, expected one",
                                       quote_text(rows.ids[first]), first + 1, last, taken));
    for (std::uint64_t j = first; j < last && !rows.weights.empty(); ++j)
      if (rows.weights[j] != rows.weights[first])
        refuse("bad-choice",
               fmt::format("choice {}, rows {} to {}: candidates have different weights, expected one",
                           quote_text(rows.ids[first]), first + 1, last));
    first = last;
  }
}

void check_choice_options(const TrainOptions& options) {
  const auto refuse = [](bool given, const char* option, const char* why) {
    if (given) throw ConfigError(why, option, "leave it out");
  };
  refuse(!options.class_weights.empty(), "class-weights", "a choice has one weight, not one per class");
  refuse(!options.reference.empty(), "reference", "choices have no reference class");
  refuse(options.symmetric, "symmetric", "choices have one vector of coefficients");
  refuse(options.prior_intercept, "prior-intercept", "an intercept would be the same for all candidates");
  refuse(options.loss == "squared", "loss", "choices have probabilities, not numbers");
  refuse(options.multilabel, "multilabel", "one candidate of a choice is taken");
  refuse(options.kernel != "none", "kernel", "a kernel compares rows, not choices");
  refuse(options.prior_every.has_value(), "prior-every",
         "choices are learned lazily, or densely with --dense-updates");
  if (options.prior_step != "flow")
    throw ConfigError("choices take the exact flow of the prior", "prior-step", "leave it out");
  if (options.standardize == "center")
    throw ConfigError("what is subtracted from all candidates changes no choice", "standardize", "use scale");
  if (options.posterior != "none" && options.posterior != "full" && options.posterior != "diagonal")
    throw ConfigError("the posterior of choices is full or diagonal", "posterior");
}

void check_choices(const data::Dataset& data, const TrainOptions& options) {
  check_choice_options(options);
  if (data.classes.size() != 2)
    throw InputError(
        {.message = fmt::format("labels say whether a candidate was taken: expected two, such as 0 and 1; "
                                "the data has {}",
                                data.classes.size()),
         .code = "bad-choice"});
  check_sets(data);
}

std::vector<FeatureId> common_features(const data::Dataset& data, const TrainOptions& options, Log& log) {
  std::vector<std::uint8_t> occurs(data.x.num_features, 0), differs(data.x.num_features, 0);
  std::vector<std::uint64_t> count(data.x.num_features, 0);
  std::vector<double> value(data.x.num_features, 0.0);
  data.x.visit_rows([&](const auto& rows) {
    std::uint64_t first = 0;
    for (const std::uint64_t last : data.choice_ends) {
      for (std::uint64_t j = first; j < last; ++j) {
        const auto row = rows.row(j);
        for (std::size_t k = 0; k < row.size(); ++k) {
          const FeatureId i = row.ids[k];
          occurs[i] = 1;
          if (count[i]++ > 0 && value[i] != row.value(k)) differs[i] = 1;
          value[i] = row.value(k);
        }
      }
      for (std::uint64_t j = first; j < last; ++j)
        for (const FeatureId i : data.x.row_ids(j)) {
          if (count[i] > 0 && count[i] < last - first) differs[i] = 1;
          count[i] = 0;
        }
      first = last;
    }
  });
  constexpr std::size_t named = 5;
  std::vector<FeatureId> common;
  std::string names;
  for (std::size_t i = 0; i < occurs.size(); ++i) {
    if (occurs[i] == 0 || differs[i] != 0) continue;
    common.push_back(static_cast<FeatureId>(i));
    if (common.size() > named) continue;
    names += (common.size() > 1 ? ", " : "") +
             (data.features.empty() ? "#" + std::to_string(i)
                                    : quote_text(data.features.name(static_cast<FeatureId>(i))));
  }
  if (common.empty()) return common;
  if (common.size() > named) names += fmt::format(" and {} more", common.size() - named);
  log.notice(fmt::format("the same for all candidates of every choice, so that no choice depends on it: {}{}",
                         names,
                         options.prior == "uniform" ? "; without a prior its coefficient stays at 0" : ""));
  return common;
}

std::uint64_t count_choices(const data::Rows& rows) {
  std::uint64_t count = 0, first = 0;
  for (const std::uint64_t last : rows.choice_ends) {
    count += rows.weights.empty() || rows.weights[first] > 0 ? 1 : 0;
    first = last;
  }
  return count;
}

optim::Choice choose_for_choices(const objective::Problem& problem) {
  constexpr std::size_t small = 500;
  if (problem.shape.size() <= small)
    return {&optim::find_optimizer("newton"), "the Hessian of few coefficients is factored soon"};
  if (!objective::Posterior(problem).slopes().empty())
    return {&optim::find_optimizer("coordinate"), "the prior has a kink and the Hessian is large"};
  return {&optim::find_optimizer("lbfgs"), "the prior is smooth and the Hessian is large"};
}

}  // namespace lazylogit::train
