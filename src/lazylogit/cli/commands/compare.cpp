#include "lazylogit/cli/commands/compare.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/comparison_text.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/holdout_input.hpp"
#include "lazylogit/cli/memory_limits.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/planned_files.hpp"
#include "lazylogit/cli/result.hpp"
#include "lazylogit/cli/training_lines.hpp"
#include "lazylogit/io/load.hpp"
#include "lazylogit/train/comparison.hpp"
#include "lazylogit/train/kernel_features.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/responses.hpp"

namespace lazylogit::cli {
namespace {

constexpr double default_gap = 1e-9;  // one digit beyond the last column
constexpr double default_max_seconds = 30;

const config::Table<CompareOptions>& compare_fields() {
  static const config::Table<CompareOptions> table = [] {
    config::TableBuilder<CompareOptions> t;
    t.group("Comparison");
    t.add({.name = "optimizers",
           .value = "NAMES",
           .help = "which to run, with commas between them; auto is what train would take",
           .unset = "auto and every one that accepts the prior"},
          &CompareOptions::optimizers);
    t.add({.name = "json", .help = "the result as one JSON document"}, &CompareOptions::json);
    t.add({.name = "trace", .value = "FILE", .help = "every evaluation of every run as csv, for plotting"},
          &CompareOptions::trace);
    t.add({.name = "holdout",
           .value = "FRACTION|FILE",
           .help = "data that is not trained on: for the accuracy and the held-out loss in the trace"},
          &CompareOptions::holdout);
    return std::move(t).build();
  }();
  return table;
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  if (text.empty()) return names;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    if (comma == from) throw ConfigError("a name is missing between the commas", "optimizers");
    names.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return names;
}

}  // namespace

const CommandInfo& Compare::info() const {
  static const CommandInfo info = {
      .name = "compare",
      .arguments = "DATA…",
      .summary = "run several optimizers, show time and passes to each precision",
      .description =
          "Trains on DATA with one optimizer after the other and shows after how many seconds, processor "
          "seconds and passes over the data each of them came and stayed within the relative gaps 1e-1 to "
          "1e-8 "
          "of the optimum. No model is written. Each run ends at the gap asked for (1e-9 unless --gap is "
          "given), or after --max-seconds (30); held-out rows end it only with --early-stopping. An option "
          "of "
          "training applies to those of the optimizers that know it; under --bounds and --max-norm only "
          "those "
          "that keep them are compared.",
      .examples = {{"compare data.svm", "all optimizers that accept the prior"},
                   {"compare data.svm --optimizers auto,newton,lbfgs --threads 1", "three of them"},
                   {"compare data.csv --standardize scale --trace trace.csv --json >result.json",
                    "for a plot and for a program"}},
  };
  return info;
}

void Compare::declare(config::OptionSet& options) {
  static const auto out = output_fields("where the result goes, written atomically", "standard output");
  options.add(compare_fields(), compare_);
  options.add(out, output_);
  options.add(io::read_fields(), read_, {"Input", "Columns", "Features", "Derived features"});
  options.add(train::train_fields(), train_, {"Model", "Kernel", "Training", "Stochastic training"});
  // What is about a model that is written, a single fit, or a stream.
  options.remove({"choices", "optimizer", "restarts", "require-convergence", "posterior", "posterior-rank",
                  "noise-variance", "samples", "warmup", "chains", "forget"});
  options.add(io::read_fields(), read_, {"Limits"});
}

int Compare::execute(const std::vector<std::string>& arguments, Session& session) {
  const train::Entrants entrants = train::comparable_optimizers(split_names(compare_.optimizers), train_);
  train::check_options(train_);
  if (!session.options.given("gap")) train_.gap = default_gap;
  if (!session.options.given("max-seconds")) train_.max_seconds = default_max_seconds;
  const HoldoutPlan plan = plan_holdout(compare_.holdout, read_, train_);
  check_side_files(train_);
  std::vector<std::string> inputs = expanded_names(arguments, read_.limits);
  warn_about_trained_on(plan, inputs, session.console);
  for (const std::string& file : side_files(train_, read_)) inputs.push_back(file);
  inputs.insert(inputs.end(), plan.files.begin(), plan.files.end());
  check_outputs({{"out", output_.output}, {"trace", compare_.trace}}, inputs);
  OutputFile out(output_.output.empty() ? "-" : output_.output);
  std::unique_ptr<OutputFile> trace;
  if (!compare_.trace.empty()) trace = std::make_unique<OutputFile>(compare_.trace);

  read_.drop_first_category = train_.prior == "uniform";
  read_.response = train::response_of(train_);
  io::Loaded loaded = with_data_name(
      arguments, read_.limits, [&] { return io::load(arguments, read_, session.console, session.cancel); });
  data::Dataset& data = loaded.data;
  check_memory(data, train_, read_.limits.max_memory);
  std::optional<data::Rows> holdout = load_holdout(plan, data, read_, train_, session);
  check_kernel_memory(data, train_, read_.limits.max_memory);
  session.console.set_phase("comparing");
  train::apply_kernel(data, train_, session.console, session.cancel);
  if (holdout) train::map_rows(data, *holdout);
  TrainingLines lines(session.console, data.num_rows());
  const train::Comparison comparison = with_data_name(arguments, read_.limits, [&] {
    return train::compare(data, train_, entrants, holdout ? &*holdout : nullptr, lines, session.console,
                          session.cancel);
  });
  write_result(out, compare_.json ? comparison_json(comparison, holdout.has_value())
                                  : comparison_text(comparison, holdout.has_value()));
  out.commit();
  if (trace != nullptr) {
    trace->write(comparison_trace(comparison));
    trace->commit();
  }
  return exit_done;
}

}  // namespace lazylogit::cli
