#include "lazylogit/cli/commands/train.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>

#include "lazylogit/base/output_file.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/result.hpp"
#include "lazylogit/cli/train_summary.hpp"
#include "lazylogit/cli/training_lines.hpp"
#include "lazylogit/config/value.hpp"
#include "lazylogit/data/split.hpp"
#include "lazylogit/model/model_file.hpp"
#include "lazylogit/train/optimizer_choice.hpp"
#include "lazylogit/train/trainer.hpp"

namespace lazylogit::cli {
namespace {

const config::Table<FitOptions>& fit_fields() {
  static const config::Table<FitOptions> table = [] {
    config::TableBuilder<FitOptions> t;
    t.group("Training");
    t.add(
        {.name = "holdout",
         .value = "FRACTION|FILE",
         .help = "data that is not trained on: for the printed scores and, in stochastic training, to watch"},
        &FitOptions::holdout);
    t.add({.name = "warm-start", .value = "MODEL", .help = "begin at the coefficients of a model"},
          &FitOptions::warm_start);
    return std::move(t).build();
  }();
  return table;
}

// A fraction, or nothing when the text names a file.
std::optional<double> holdout_fraction(const std::string& text) {
  const auto fraction = config::parse_real(text);
  if (fraction && !(*fraction > 0 && *fraction < 1))
    throw ConfigError(
        fmt::format("found {}, expected a fraction between 0 and 1 or a file", quote_text(text)), "holdout",
        "write a file called like a number as ./" + text);
  return fraction;
}

// Throws when the place cannot be written. A regular file is opened again when there is something to write; a
// pipe or a device stays open, because its reader would see the end.
std::unique_ptr<OutputFile> probed_output(const std::string& path) {
  auto out = std::make_unique<OutputFile>(path);
  return out->is_direct() ? std::move(out) : nullptr;
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
      .examples = {{"train data.csv --target income -o model.safetensors",
                    "a table with numbers, categories and missing cells"},
                   {"train mails.tsv --lowercase --ngrams 2 --holdout 0.2 -o model.safetensors",
                    "label<TAB>text; words and pairs of words, a fifth of the rows held out"},
                   {"train 'part-*.svm.zst' --prior laplace --variance 0.1 -o model.safetensors",
                    "compressed libsvm files, a sparse model"},
                   {"train big.svm --optimizer sgd --epochs 5 --learning-rate 0.1 -o model.safetensors",
                    "five passes of lazy stochastic gradient descent"}},
  };
  return info;
}

void Train::declare(config::OptionSet& options) {
  static const auto out = output_fields("the model, written atomically (required)", "");
  options.add(out, output_);
  options.add(io::read_fields(), read_, {"Input", "Columns", "Features"});
  options.add(train::train_fields(), train_, {"Model", "Training"});
  options.add(fit_fields(), fit_);
  options.add(train::train_fields(), train_, {"Stochastic training"});
  options.add(io::read_fields(), read_, {"Limits"});
}

// An option of stochastic training is a wish for it.
void Train::choose_optimizer(Session& session) {
  if (session.options.given("optimizer")) return;
  for (const config::BoundField& option : session.options.options()) {
    if (!option.given || option.field->info.group != "Stochastic training") continue;
    train_.optimizer = "sgd";
    session.console.notice(fmt::format("optimizer: sgd, because --{} was given", option.field->info.name));
    return;
  }
}

int Train::execute(const std::vector<std::string>& arguments, Session& session) {
  if (output_.output.empty()) throw ConfigError("no file for the model given, expected -o MODEL", "out");
  choose_optimizer(session);
  train::check_options(train_);
  const auto fraction = fit_.holdout.empty() ? std::nullopt : holdout_fraction(fit_.holdout);
  const std::vector<std::string> holdout_files = fit_.holdout.empty() || fraction
                                                     ? std::vector<std::string>()
                                                     : expanded_names({fit_.holdout}, read_.limits);
  std::vector<std::string> inputs = expanded_names(arguments, read_.limits);
  inputs.insert(inputs.end(), holdout_files.begin(), holdout_files.end());
  for (const std::string* file :
       {&train_.prior_file, &train_.class_weights, &read_.labels_file, &fit_.warm_start})
    if (!file->empty()) inputs.push_back(*file);
  check_output(output_.output, inputs);
  std::unique_ptr<OutputFile> out = probed_output(output_.output);
  std::optional<model::Model> warm_start;
  if (!fit_.warm_start.empty()) warm_start = model::load_model(fit_.warm_start);

  Stopwatch watch;
  read_.drop_first_category = train_.prior == "uniform";
  io::Loaded loaded = io::load(arguments, read_, session.console, session.cancel);
  data::Dataset& data = loaded.data;
  std::optional<data::Rows> holdout;
  if (fraction) holdout = data::take_holdout(data, *fraction, train_.seed);
  if (!holdout_files.empty()) {
    data.features.build_index();
    const io::FixedNames names{&data.input, &data.features, &data.idf, &data.classes, data.x.num_features};
    holdout = io::load_with(holdout_files, names, read_, session.console, session.cancel, nullptr);
  }
  TrainSummary summary;
  summary.read = loaded.summary;
  summary.seconds_reading = watch.lap();
  summary.num_rows = data.num_rows();
  summary.num_nonzeros = data.x.num_nonzeros();
  for (const double weight : data.weights) summary.total_weight += weight;
  if (data.weights.empty()) summary.total_weight = static_cast<double>(data.num_rows());

  TrainingLines lines(session.console, data.num_rows());
  const train::TrainResult result =
      train::train(data, train_, holdout ? &*holdout : nullptr, warm_start ? &*warm_start : nullptr, lines,
                   session.console, session.cancel);
  session.cancel.throw_if_cancelled();
  summary.seconds_training = watch.lap();
  if (out == nullptr) out = std::make_unique<OutputFile>(output_.output);
  out->write(model::serialize(result.model));
  out->commit();
  summary.file = output_.output;
  summary.holdout = holdout ? &*holdout : nullptr;
  if (!session.general.quiet) {
    const std::string text = train_summary_text(summary, result);
    if (output_.output == "-")
      session.console.notice(text);  // standard output holds the model
    else
      print_result(text);
  }
  const bool reached = result.fit.reason == optim::Termination::converged ||
                       result.fit.reason == optim::Termination::tolerance;
  if (train_.require_convergence && !reached) return exit_not_converged;
  return exit_done;
}

}  // namespace lazylogit::cli
