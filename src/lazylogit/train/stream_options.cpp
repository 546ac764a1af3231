#include "lazylogit/train/stream_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/value.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/train/choices.hpp"
#include "lazylogit/train/responses.hpp"
#include "lazylogit/train/stream_trainer.hpp"

namespace lazylogit::train {
namespace {

// Options of training that a stream knows; all others are refused.
constexpr std::array<std::string_view, 24> known{"multilabel",
                                                 "loss",
                                                 "prior",
                                                 "variance",
                                                 "scale",
                                                 "l1",
                                                 "l2",
                                                 "no-intercept",
                                                 "prior-intercept",
                                                 "symmetric",
                                                 "optimizer",
                                                 "schedule",
                                                 "anneal",
                                                 "learning-rate",
                                                 "max-seconds",
                                                 "average",
                                                 "decay-per",
                                                 "forget",
                                                 "class-weights",
                                                 "rho",
                                                 "beta1",
                                                 "beta2",
                                                 "epsilon",
                                                 "beta"};
// Those that only some learners know.
struct LearnerOption {
  std::string_view option;
  std::vector<std::string_view> learners;
};
const std::vector<LearnerOption>& learner_options() {
  static const std::vector<std::string_view> rates{"sgd", "adam", "adamax", "rmsprop", "adadelta"},
      priors{"adagrad", "sgd", "ftrl", "adam", "adamax", "rmsprop", "adadelta"},
      beliefs{"adagrad", "sgd", "ftrl", "adam", "adamax", "rmsprop", "adadelta", "adf"};
  static const std::vector<LearnerOption> list{{"schedule", rates},
                                               {"anneal", rates},
                                               {"decay-per", rates},
                                               {"learning-rate", priors},
                                               {"prior", beliefs},
                                               {"variance", beliefs},
                                               {"scale", priors},
                                               {"l1", priors},
                                               {"l2", priors},
                                               {"prior-intercept", beliefs},
                                               {"rho", {"adadelta", "rmsprop"}},
                                               {"beta1", {"adam", "adamax"}},
                                               {"beta2", {"adam", "adamax"}},
                                               {"epsilon", {"adadelta", "rmsprop", "adam", "adamax"}},
                                               {"beta", {"ftrl"}},
                                               {"average", {"perceptron"}},
                                               {"forget", {"adf"}}};
  return list;
}

}  // namespace

const config::Table<StreamOptions>& stream_fields() {
  using config::at_least;
  static const config::Table<StreamOptions> table = [] {
    config::TableBuilder<StreamOptions> t;
    t.group("Stream");
    t.add({.name = "stream", .help = "learn in one pass, row by row; the data is never held in memory"},
          &StreamOptions::stream);
    t.add({.name = "window",
           .value = "N",
           .help = "rows over which the recent progressive loss is taken",
           .bounds = at_least(1)},
          &StreamOptions::window);
    t.add({.name = "skip-rows",
           .value = "N",
           .help = "pass over the first N rows: those that a checkpoint has learned"},
          &StreamOptions::skip_rows);
    t.add({.name = "grid",
           .value = "V,V…",
           .help = "learn a model for each of these widths of the prior (--variance or --scale) in the same "
                   "pass, and "
                   "keep the one with the lowest progressive loss"},
          &StreamOptions::grid);
    t.add({.name = "regret",
           .help =
               "afterwards compare with the best fixed model in hindsight: the exact fit of all rows, which "
               "must be files and fit in memory"},
          &StreamOptions::regret);
    t.add({.name = "no-state",
           .help = "leave out of the model what it needs to go on learning exactly",
           .negated = true},
          &StreamOptions::state);
    t.group("Checkpoints");
    t.add({.name = "checkpoint",
           .value = "FILE",
           .help = "a model to resume from: written on SIGINT and SIGTERM and, in a stream, every so often "
                   "and on errors"},
          &StreamOptions::checkpoint);
    t.add({.name = "checkpoint-rows",
           .value = "N",
           .help = "in a stream: a checkpoint whenever N more rows have been learned",
           .bounds = at_least(1),
           .unset = "by time alone"},
          &StreamOptions::checkpoint_rows);
    t.add({.name = "checkpoint-seconds",
           .value = "S",
           .help = "in a stream: a checkpoint every S seconds",
           .bounds = config::above(0)},
          &StreamOptions::checkpoint_seconds);
    return std::move(t).build();
  }();
  return table;
}

std::vector<TrainOptions> grid_options(const TrainOptions& options, const std::string& grid) {
  if (grid.empty()) return {options};
  const bool by_variance = options.prior == "gaussian" || options.prior == "laplace";
  if ((!by_variance && options.prior != "cauchy") || stream_learner(options) == "perceptron")
    throw ConfigError("a grid is over the width of a gaussian, laplace or cauchy prior", "grid");
  if (options.variance || options.scale)
    throw ConfigError(fmt::format("it is a list of values for --{}", by_variance ? "variance" : "scale"),
                      "grid", "give one of them");
  std::vector<TrainOptions> all;
  for (std::size_t from = 0; from <= grid.size();) {
    const std::size_t end = std::min(grid.find(',', from), grid.size());
    const std::string word = grid.substr(from, end - from);
    from = end + 1;
    const auto width = config::parse_real(word);
    if (!width || !(*width > 0))
      throw ConfigError(
          fmt::format("found {}, expected positive numbers separated by commas", quote_text(word)), "grid");
    all.push_back(options);
    (by_variance ? all.back().variance : all.back().scale) = *width;
  }
  constexpr std::size_t most = 64;
  if (all.size() > most)
    throw ConfigError(fmt::format("{} values are more than {}", all.size(), most), "grid");
  for (const TrainOptions& one : all) check_stream_options(one);
  return all;
}

void check_stream_options(const TrainOptions& options, bool choices) {
  const std::string learner = stream_learner(options);
  const optim::OnlineEntry* const entry = optim::find_online_learner(learner);
  if (entry == nullptr) {
    std::vector<std::string_view> names;
    for (const optim::OnlineEntry& other : optim::online_learners()) names.push_back(other.name);
    throw ConfigError(fmt::format("in a stream there is no optimizer {}", quote_text(learner)), "optimizer",
                      fmt::format("streams know {}", fmt::join(names, ", ")));
  }
  for (const config::Field& field : train_fields().fields) {
    if (field.get(&options) == field.default_text) continue;
    const std::string& name = field.info.name;
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ConfigError("it has no meaning in a stream, which is read once", name,
                        "leave it out, or --stream");
    for (const LearnerOption& row : learner_options())
      if (row.option == name &&
          std::find(row.learners.begin(), row.learners.end(), learner) == row.learners.end())
        throw ConfigError(fmt::format("in a stream it has no meaning for the optimizer {}", learner), name,
                          fmt::format("it is for {}", fmt::join(row.learners, ", ")));
  }
  if (!options.intercept && options.prior_intercept)
    throw ConfigError("contradicts --no-intercept", "prior-intercept");
  if (options.class_weights == "balanced")
    throw ConfigError("how often classes occur is known only after the last row", "class-weights",
                      "name a file of weights");
  check_response(options);
  if (choices) check_choice_options(options);
  optim::OnlineSettings settings = online_settings(options);
  settings.choices = choices;
  if (const auto reason = entry->refuses(settings)) throw ConfigError(*reason, "optimizer");
}

}  // namespace lazylogit::train
