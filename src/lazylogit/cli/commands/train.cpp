#include "lazylogit/cli/commands/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/holdout_input.hpp"
#include "lazylogit/cli/learning_curve_run.hpp"
#include "lazylogit/cli/memory_limits.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/planned_files.hpp"
#include "lazylogit/cli/progress_text.hpp"
#include "lazylogit/cli/result.hpp"
#include "lazylogit/cli/signals.hpp"
#include "lazylogit/cli/stream_run.hpp"
#include "lazylogit/cli/trace_text.hpp"
#include "lazylogit/cli/train_summary.hpp"
#include "lazylogit/cli/training_lines.hpp"
#include "lazylogit/io/formats/cache.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/optim/catalog.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/train/choices.hpp"
#include "lazylogit/train/kernel_features.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/option_owners.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/responses.hpp"
#include "lazylogit/train/stream_trainer.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::cli {
namespace {

const config::Table<FitOptions>& fit_fields() {
  static const config::Table<FitOptions> table = [] {
    config::TableBuilder<FitOptions> t;
    t.group("Training");
    t.add({.name = "holdout",
           .value = "FRACTION|FILE",
           .help = "data that is not trained on: for the printed scores and, in stochastic training, to "
                   "watch; of a FRACTION, "
                   "cut off when all rows are read, means of missing cells, idf, --min-count and --bins "
                   "know, of a FILE nothing"},
          &FitOptions::holdout);
    t.add({.name = "cache",
           .value = "FILE",
           .help = "keep the data as read in FILE, and read FILE instead where it is of the same files and "
                   "options"},
          &FitOptions::cache);
    t.add({.name = "warm-start", .value = "MODEL", .help = "begin at the coefficients of a model"},
          &FitOptions::warm_start);
    t.add({.name = "trace",
           .value = "FILE",
           .help = "every evaluation as csv, for plotting: error, gap, gradient, step, passes, seconds"},
          &FitOptions::trace);
    t.add({.name = "learning-curve",
           .value = "FILE",
           .help = "fit growing parts of the rows first, and print their training and held-out losses; =FILE "
                   "writes them as csv too",
           .bare = curve_table},
          &FitOptions::learning_curve);
    return std::move(t).build();
  }();
  return table;
}

bool reached_precision(optim::Termination reason) {
  return reason == optim::Termination::converged || reason == optim::Termination::tolerance;
}

// Ends that a user should hear of: a budget that was asked for is none of them.
void warn_about_the_end(const train::TrainResult& result, Log& log) {
  const optim::Termination reason = result.fit.reason;
  const bool stochastic = optim::find_optimizer(result.model.record.optimizer).stochastic;
  const bool passes = reason == optim::Termination::max_passes && !stochastic;
  if (!passes && reason != optim::Termination::separation && reason != optim::Termination::numeric_failure &&
      reason != optim::Termination::no_progress)
    return;
  log.warning({.kind = ErrorKind::input, .message = result.fit.message, .code = "not-converged"});
}

double total_weight(const data::Rows& rows, const std::vector<double>& class_weights) {
  double total = 0;
  if (!rows.choice_ends.empty()) {
    std::uint64_t first = 0;
    for (const std::uint64_t last : rows.choice_ends)
      total += rows.weights.empty() ? 1 : rows.weights[std::exchange(first, last)];
    return total;
  }
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    const double by_class =
        class_weights.empty() ? 1 : class_weights[static_cast<std::size_t>(rows.labels[i])];
    total += by_class * (rows.weights.empty() ? 1 : rows.weights[i]);
  }
  return total;
}

class Stopwatch {
 public:
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

const CommandInfo& Train::info() const {
  static const CommandInfo info = {
      .name = "train",
      .arguments = "DATA… -o MODEL",
      .summary = "fit a model",
      .description =
          "Fits a (multinomial) logistic regression to DATA and writes it to MODEL, a safetensors file. The "
          "fit minimises "
          "the sum over rows of -log probability plus -log prior, and ends with a certificate: how far from "
          "the optimum it "
          "can be. Same data, seed and options give the same bytes, whatever the number of threads.",
      .examples =
          {{"train data.csv --target income -o model.safetensors",
            "a table with numbers, categories and missing cells"},
           {"train mails.tsv --lowercase --ngrams 2 --holdout 0.2 -o model.safetensors",
            "label<TAB>text; words and pairs of words, a fifth of the rows held out"},
           {"train data.csv --interactions 'age*job' --log income --standardize scale -o model.safetensors",
            "products and logarithms of columns as further features"},
           {"train 'part-*.svm.zst' --prior laplace --variance 0.1 -o model.safetensors",
            "compressed libsvm files, a sparse model"},
           {"train - --stream --format vw --hash-bits 20 --checkpoint now.safetensors -o model.safetensors",
            "an endless stream on standard input, learned as it comes"},
           {"train big.svm --optimizer sgd --epochs 5 --learning-rate 0.1 -o model.safetensors",
            "five passes of lazy stochastic gradient descent"}},
  };
  return info;
}

void Train::declare(config::OptionSet& options) {
  static const auto out = output_fields("the model, written atomically (required); - is standard output", "");
  options.add(out, output_);
  options.add(io::read_fields(), read_, {"Input", "Columns", "Features", "Derived features"});
  options.add(train::train_fields(), train_, {"Model", "Kernel", "Training"});
  options.add(fit_fields(), fit_);
  options.add(train::train_fields(), train_, {"Stochastic training"});
  options.add(train::stream_fields(), stream_, {"Stream", "Checkpoints"});
  options.add(io::read_fields(), read_, {"Limits"});
  options.add(model_limit_fields(), model_limits_);
}

// An option of stochastic training is a wish for it; bounds alone are one for the optimum within them.
void Train::choose_optimizer(Session& session) {
  if (session.options.given("optimizer")) return;
  std::vector<std::string> wishes;
  for (const config::BoundField& option : session.options.options())
    if (option.given && option.field->info.group == "Stochastic training")
      wishes.push_back(option.field->info.name);
  if (wishes.empty()) return;
  train_.optimizer = wishes == std::vector<std::string>{"bounds"} ? "saga" : train::stochastic_choice(train_);
  session.console.notice(
      fmt::format("optimizer: {}, because --{} was given", train_.optimizer, wishes.front()));
}

// Options that mean nothing with or without --stream; the learner or the optimizer.
void Train::check_kind(const std::vector<std::string>& arguments, Session& session) {
  if (!stream_.stream && train_.optimizer != "auto" && optim::is_online_only(train_.optimizer)) {
    session.console.notice(
        fmt::format("optimizer {}: one pass, row by row, as with --stream", train_.optimizer));
    stream_.stream = true;
  }
  if (stream_.stream) {
    check_stream(stream_, train_, arguments, fit_.warm_start, !read_.choices.empty());
    check_stream_reading(read_);
    if (!fit_.holdout.empty())
      throw ConfigError("in a stream every row is held out before it is learned", "holdout", "leave it out");
    if (!fit_.cache.empty())
      throw ConfigError("a stream is read once", "cache",
                        "leave it out; convert makes caches that streams can read");
    if (!fit_.trace.empty())
      throw ConfigError("a stream has no passes to trace", "trace", "--log json tells its progressive loss");
    if (!fit_.learning_curve.empty())
      throw ConfigError("a stream is read once", "learning-curve", "its progressive loss is such a curve");
    return;
  }
  for (const config::BoundField& option : session.options.options())
    if (option.given && option.field->info.group == "Stream")
      throw ConfigError("it is for streams", option.field->info.name, "add --stream");
  for (const char* name : {"checkpoint-rows", "checkpoint-seconds"})
    if (session.options.given(name))
      throw ConfigError("it is for streams; without --stream a checkpoint is written on signals", name,
                        "add --stream or leave it out");
  choose_optimizer(session);
  if (train_.kernel != "none" && !fit_.warm_start.empty())
    throw ConfigError("a kernel's coefficients belong to the rows of one training set", "warm-start",
                      "leave it out");
  train::check_options(train_);
  train::check_optimizer(train_);
  if (!read_.choices.empty()) train::check_choice_options(train_);
}

std::vector<std::string> Train::inputs(const std::vector<std::string>& arguments) const {
  std::vector<std::string> names = expanded_names(arguments, read_.limits);
  for (const std::string& file : side_files(train_, read_)) names.push_back(file);
  if (!fit_.warm_start.empty()) names.push_back(fit_.warm_start);
  return names;
}

// Finds usage errors and outputs that cannot be written, before anything is read.
Train::Plan Train::plan(const std::vector<std::string>& arguments, Session& session) {
  if (output_.output.empty()) throw ConfigError("no file for the model given, expected -o MODEL", "out");
  check_kind(arguments, session);
  Plan plan;
  plan.holdout = plan_holdout(fit_.holdout, read_, train_);
  std::vector<std::string> inputs = this->inputs(arguments);
  warn_about_trained_on(plan.holdout, inputs, session.console);
  inputs.insert(inputs.end(), plan.holdout.files.begin(), plan.holdout.files.end());
  if (!fit_.cache.empty() &&
      (train::response_of(train_) != data::Response::classes || !read_.choices.empty()))
    throw ConfigError("a cache holds classes, neither numbers, several labels nor choices", "cache",
                      "leave it out");
  refuse_standard_input_twice(inputs);
  check_side_files(train_);
  check_outputs({{"out", output_.output},
                 {"trace", fit_.trace},
                 {"checkpoint", stream_.checkpoint},
                 {"cache", fit_.cache},
                 {"learning-curve", fit_.learning_curve == curve_table ? "" : fit_.learning_curve}},
                inputs);
  plan.out = probed_output(output_.output);
  if (!stream_.checkpoint.empty() && OutputFile(stream_.checkpoint).is_direct())
    throw ConfigError("a checkpoint replaces the one before; a pipe or a device cannot hold it",
                      "checkpoint");
  if (!fit_.trace.empty()) plan.trace = std::make_unique<OutputFile>(fit_.trace);
  if (!fit_.learning_curve.empty())
    plan.curve = plan_learning_curve(fit_.learning_curve, train_, !fit_.holdout.empty());
  return plan;
}

void Train::choose_options(data::Dataset&, Session&) {}

std::string Train::result_text(const TrainSummary& summary, const train::TrainResult& result,
                               bool quiet) const {
  return quiet ? std::string() : train_summary_text(summary, result);
}

// After a signal: the best coefficients so far, as a model.
void Train::keep_what_was_learned(const train::TrainResult& result, Session& session) const {
  if (stream_.checkpoint.empty()) return;
  lift_deadline();
  OutputFile out(stream_.checkpoint);
  model::serialize(result.model, model::sink_of(out, model_limits_));
  out.commit();
  session.console.notice(fmt::format("the best coefficients so far are in {}; go on with --warm-start {}",
                                     stream_.checkpoint, stream_.checkpoint));
}

int Train::execute(const std::vector<std::string>& arguments, Session& session) {
  Plan plan = this->plan(arguments, session);
  read_.response = train::response_of(train_);
  if (stream_.stream) {
    // Steps need no design that is free of redundancy; a belief without a prior does.
    read_.drop_first_category = train_.prior == "uniform" && train::stream_learner(train_) == "adf";
    return run_stream({arguments, read_, train_, stream_, model_limits_, fit_.warm_start, output_.output,
                       std::move(plan.out)},
                      session);
  }
  std::optional<model::Model> warm_start;
  if (!fit_.warm_start.empty()) warm_start = load_whole_model(fit_.warm_start, model_limits_);
  if (warm_start &&
      (warm_start->kernel != nullptr || warm_start->input.choices.column.empty() != read_.choices.empty()))
    throw ConfigError("the model is one of a kernel, or only one of the two chooses among candidates",
                      "warm-start");

  const std::vector<io::Input> named = io::expand_inputs(arguments, read_.limits);
  if (named.size() == 1) session.console.set_data_name(named.front().name());
  Stopwatch watch;
  read_.drop_first_category = train_.prior == "uniform";
  io::Loaded loaded = with_data_name(arguments, read_.limits, [&] {
    return fit_.cache.empty()
               ? io::load(arguments, read_, session.console, session.cancel)
               : io::load_through_cache(arguments, fit_.cache, read_, session.console, session.cancel);
  });
  data::Dataset& data = loaded.data;
  model::check_header(data.input, model_limits_);
  check_memory(data, train_, read_.limits.max_memory);
  std::optional<data::Rows> holdout = load_holdout(plan.holdout, data, read_, train_, session);
  TrainSummary summary;
  summary.read = loaded.summary;
  summary.seconds_reading = watch.lap();
  if (train_.kernel != "none") session.console.set_phase("comparing rows");
  check_kernel_memory(data, train_, read_.limits.max_memory);
  with_data_name(arguments, read_.limits, [&] {
    train::apply_kernel(data, train_, session.console, session.cancel);
    if (holdout) train::map_rows(data, *holdout);
    return 0;
  });
  choose_options(data, session);
  const data::Rows* const held = holdout ? &*holdout : nullptr;
  std::string curve;
  if (!fit_.learning_curve.empty()) curve = run_learning_curve(data, held, train_, plan.curve.get(), session);

  session.console.set_phase("training");
  constexpr int checkpoint_grace = 30;  // seconds to end a pass and write
  if (!stream_.checkpoint.empty()) set_grace(checkpoint_grace);
  TrainingLines lines(session.console, data.num_rows());
  TraceRecorder trace(train_.optimizer, lines);
  optim::Observer& observer = plan.trace != nullptr ? static_cast<optim::Observer&>(trace) : lines;
  const train::TrainResult result = with_data_name(arguments, read_.limits, [&] {
    return train::train(data, train_, held, warm_start ? &*warm_start : nullptr, observer, session.console,
                        session.cancel);
  });
  if (session.cancel.cancelled()) keep_what_was_learned(result, session);
  session.cancel.throw_if_cancelled();
  summary.seconds_training = watch.lap();
  session.console.set_data_name({});  // how a fit ended is nothing of the data
  warn_about_the_end(result, session.console);
  session.console.set_phase("writing");
  if (plan.trace != nullptr) {  // before the model, which stays as it was when this fails
    plan.trace->write(trace.text());
    plan.trace->commit();
  }
  if (plan.out == nullptr) plan.out = std::make_unique<OutputFile>(output_.output);
  model::serialize(result.model, model::sink_of(*plan.out, model_limits_));
  plan.out->commit();

  summary.num_rows = data.num_rows();
  summary.num_nonzeros = data.x.num_nonzeros();
  summary.total_weight = total_weight(data, train::class_weights_of(result.model));
  summary.file = output_.output;
  summary.holdout = held;
  const std::string text = curve + result_text(summary, result, session.general.quiet);
  if (is_standard_output(output_.output))
    session.console.notice(
        text.substr(0, text.find_last_not_of('\n') + 1));  // standard output holds the model
  else
    print_result(text);
  return train_.require_convergence && !reached_precision(result.fit.reason) ? exit_not_converged : exit_done;
}

}  // namespace lazylogit::cli
