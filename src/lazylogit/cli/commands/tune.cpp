#include "lazylogit/cli/commands/tune.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <memory>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/cli/planned_files.hpp"
#include "lazylogit/cli/time_left.hpp"
#include "lazylogit/cli/tuning_text.hpp"
#include "lazylogit/config/value.hpp"
#include "lazylogit/train/prior_path.hpp"
#include "lazylogit/train/responses.hpp"

namespace lazylogit::cli {
namespace {

constexpr std::array<std::pair<std::string_view, train::TuneBy>, 4> criteria{
    {{"log-loss", train::TuneBy::log_loss},
     {"squared-error", train::TuneBy::log_loss},
     {"accuracy", train::TuneBy::accuracy},
     {"evidence", train::TuneBy::evidence}}};

const config::Table<TuneOptions>& tune_fields() {
  static const config::Table<TuneOptions> table = [] {
    config::TableBuilder<TuneOptions> t;
    t.group("Tuning");
    t.add({.name = "by",
           .value = "CRITERION",
           .help = "what the best value is the best in: held-out loss or accuracy, or the evidence, which "
                   "holds out "
                   "nothing",
           .choices = {"log-loss", "squared-error", "accuracy", "evidence"},
           .unset = "log-loss; squared-error with --loss squared"},
          &TuneOptions::by);
    t.add({.name = "folds",
           .value = "K",
           .help = "parts for cross-validation",
           .bounds = config::between(2, 1000)},
          &TuneOptions::folds);
    t.add({.name = "repeats",
           .value = "R",
           .help = "cross-validations with different folds",
           .bounds = config::between(1, 1000)},
          &TuneOptions::repeats);
    t.add({.name = "path",
           .value = "N",
           .help = "values tried, from the empty model to the full one",
           .bounds = config::between(2, 10000)},
          &TuneOptions::path);
    t.add({.name = "values",
           .value = "LIST",
           .help = "instead of the path: the values to try, with commas between them (variances, scales of "
                   "the Cauchy "
                   "prior, l1 of the elastic net, whose l2 goes along)"},
          &TuneOptions::values);
    t.add(
        {.name = "groups",
         .value = "column|namespace|FILE",
         .help = "with --by evidence: a number for each group of features, which are those of a column of a "
                 "table, of "
                 "a namespace of vw, or of a group in a csv file with the header feature,group"},
        &TuneOptions::groups);
    t.add({.name = "one-standard-error",
           .help = "take the strongest prior that is within a standard error of the best"},
          &TuneOptions::one_standard_error);
    t.add({.name = "max-features",
           .value = "N",
           .help = "take the best model with at most N features; for priors that leave coefficients at 0",
           .bounds = config::at_least(0)},
          &TuneOptions::max_features);
    t.add({.name = "json", .help = "the result as one JSON document"}, &TuneOptions::json);
    t.add({.name = "trace", .value = "FILE", .help = "every value and fold as csv, for plotting"},
          &TuneOptions::trace);
    return std::move(t).build();
  }();
  return table;
}

std::vector<double> parse_values(const std::string& text) {
  std::vector<double> values;
  for (std::size_t from = 0; !text.empty() && from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, comma - from);
    const auto value = config::parse_real(part);
    if (!value || !(*value > 0))
      throw ConfigError(
          fmt::format("found {}, expected positive numbers with commas between them", quote_text(part)),
          "values");
    values.push_back(*value);
    from = comma + 1;
  }
  return values;
}

// A line per value of the path.
class TuneLines final : public train::TuneObserver {
 public:
  TuneLines(Console& console, std::string option) : console_(console), option_(std::move(option)) {}
  void on_point(const train::TunePoint& point, std::size_t done, std::size_t of) override {
    // Weak priors take longer than strong ones, and the path may be left early.
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    const TimeLeft left{seconds * static_cast<double>(of - done) / static_cast<double>(done)};
    console_.pass(point_line(option_, point, done, of) + (done < of ? "  " + left.text() : ""),
                  point_event(option_, point, done, of));
  }
  void on_group_step(std::size_t step, double log_evidence) override {
    console_.pass(group_step_line(step, log_evidence), group_step_event(step, log_evidence));
  }

 private:
  Console& console_;
  std::string option_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace

const CommandInfo& Tune::info() const {
  static const CommandInfo info = {
      .name = "tune",
      .arguments = "DATA… -o MODEL",
      .summary = "choose the width of the prior, then fit the model",
      .description =
          "Fits DATA along a path of priors, from one so strong that it leaves the model empty to one that "
          "hardly "
          "matters, and chooses the best by cross-validation (or by the evidence). Folds are stratified by "
          "class and "
          "drawn by --seed. The path is left early when the held-out loss keeps rising. The model is then "
          "fitted to "
          "all rows and written to MODEL, as train would.",
      .examples = {{"tune data.csv --target income -o model.safetensors", "five folds, fifty variances"},
                   {"tune mails.tsv --prior laplace --one-standard-error -o model.safetensors",
                    "the sparsest model within a standard error of the best"},
                   {"tune data.svm --prior laplace --max-features 30 -o model.safetensors",
                    "the best model with at most thirty features"},
                   {"tune data.csv --by evidence -o model.safetensors", "without holding out anything"},
                   {"tune data.csv --by evidence --groups column -o model.safetensors",
                    "one variance per column"}},
  };
  return info;
}

void Tune::declare(config::OptionSet& options) {
  static const auto out = output_fields("the model, written atomically (required); - is standard output", "");
  options.add(out, output_);
  options.add(tune_fields(), tune_);
  options.add(io::read_fields(), read_, {"Input", "Columns", "Features", "Derived features"});
  options.add(train::train_fields(), train_, {"Model", "Kernel", "Training"});
  options.remove({"variance", "scale", "early-stopping"});
  options.add(io::read_fields(), read_, {"Limits"});
  options.add(model_limit_fields(), model_limits_);
}

int Tune::execute(const std::vector<std::string>& arguments, Session& session) {
  for (const auto& [name, by] : criteria)
    if (tune_.by == name) settings_.by = by;
  for (const char* option : {"folds", "repeats"})
    if (settings_.by == train::TuneBy::evidence && session.options.given(option))
      throw ConfigError("the evidence needs no folds", option, "leave it out");
  if (!tune_.values.empty() && session.options.given("path"))
    throw ConfigError("contradicts --values, which lists what to try", "path");
  settings_.folds = tune_.folds;
  settings_.repeats = tune_.repeats;
  settings_.path = tune_.path;
  settings_.values = parse_values(tune_.values);
  settings_.one_standard_error = tune_.one_standard_error;
  settings_.max_features = tune_.max_features;
  settings_.groups = tune_.groups;
  const bool numbers = train::response_of(train_) == data::Response::number;
  if (numbers && session.options.given("by") && settings_.by != train::TuneBy::evidence &&
      tune_.by != "squared-error")
    throw ConfigError("with --loss squared labels are numbers, which have no probabilities", "by",
                      "choose by squared-error");
  if (!numbers && tune_.by == "squared-error")
    throw ConfigError("squared-error is for numbers; add --loss squared", "by");
  std::vector<std::string> named = arguments;
  for (const std::string& file : side_files(train_, read_)) named.push_back(file);
  named.push_back(tune_.groups);
  refuse_standard_input_twice(named);
  train::check_tuning(train_, settings_);
  std::vector<std::string> read = inputs(arguments);
  read.push_back(tune_.groups);  // where it is the name of a file
  check_outputs({{"out", output_.output}, {"trace", tune_.trace}}, read);
  std::unique_ptr<OutputFile> trace;
  if (!tune_.trace.empty()) trace = std::make_unique<OutputFile>(tune_.trace);
  const int code = Train::execute(arguments, session);
  if (trace != nullptr) {
    trace->write(tuning_trace(tuning_));
    trace->commit();
  }
  return code;
}

void Tune::choose_options(data::Dataset& data, Session& session) {
  session.console.set_phase("tuning");
  TuneLines lines(session.console, train::tuned_option(train_));
  tuning_ = train::tune(data, train_, settings_, lines, session.console, session.cancel);
  train_ = tuning_.options;
  session.console.set_phase("training");
}

std::string Tune::result_text(const TrainSummary& summary, const train::TrainResult& result,
                              bool quiet) const {
  if (tune_.json) return tuning_json(tuning_, result);
  return quiet ? std::string() : tuning_text(tuning_) + train_summary_text(summary, result);
}

}  // namespace lazylogit::cli
