#include "lazylogit/cli/commands/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/bayes/noise.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/scoring_run.hpp"

namespace lazylogit::cli {
namespace {

constexpr std::size_t rows_per_record_block = 1024;

// Formats the rows of one block on all threads and writes them in order.
void write_rows(const PredictionWriter& writer, const data::Rows& rows, const model::Predictions& predictions,
                ScoringRun& run) {
  const std::size_t num_blocks = num_blocks_of(rows.num_rows(), rows_per_record_block);
  std::vector<std::string> records(num_blocks);
  parallel_blocks(num_blocks, [&](std::size_t block) {
    const std::size_t first = block * rows_per_record_block;
    records[block] =
        writer.records(rows, predictions, first, std::min(rows.num_rows(), first + rows_per_record_block));
  });
  for (const std::string& record : records) run.write(record);
}

}  // namespace

const CommandInfo& Predict::info() const {
  static const CommandInfo info = {
      .name = "predict",
      .arguments = "MODEL DATA…",
      .summary = "classify: labels and probabilities",
      .description =
          "Writes one record per row of DATA, in input order, to standard output or to a file: the predicted "
          "class and its "
          "probability. Rows are read as the model's training data was; a label column may be absent. "
          "Features that the "
          "model does not know are ignored and counted.",
      .examples = {{"predict model.safetensors new.csv", "CSV with the columns prediction and probability"},
                   {"predict model.safetensors new.csv --id customer --proba -o scores.csv",
                    "with the column customer first and the probability of every class"},
                   {"predict model.safetensors mails.tsv --explain=3 --output jsonl",
                    "JSON lines with the three features that decided each row"},
                   {"predict model.safetensors new.csv --threshold 0.9", "leave rows below 90 % undecided"},
                   {"predict model.safetensors new.csv --intervals --predictive probit",
                    "with 90 % bounds of each probability, from a model trained with --posterior"},
                   {"predict model.safetensors new.csv --set 0.9",
                    "the classes among which the true one is in 90 % of the rows, from a model trained with "
                    "--holdout"}},
      .min_arguments = 2};
  return info;
}

void Predict::declare(config::OptionSet& options) {
  static const auto out = output_fields("where the predictions go, written atomically", "standard output");
  options.add(out, output_);
  options.add(prediction_fields(), predictions_);
  options.add(predictive_fields(), predictive_);
  options.add(io::read_fields(), read_, {"Input"});
  options.add(io::other_column_fields(), read_);
  options.remove({"target", "weight", "count"});  // of no use without labels
  options.add(io::read_fields(), read_, {"Limits"});
  options.add(model_limit_fields(), model_limits_);
}

// Options that contradict each other, before anything is read.
void Predict::check_set(const std::vector<std::string>& arguments) const {
  const std::string& file = predictions_.calibrate;
  if (file.empty()) return;
  if (!predictions_.set) throw ConfigError("belongs to --set", "calibrate");
  std::vector<std::string> inputs = arguments;
  inputs.push_back(file);
  if (!read_.labels_file.empty()) inputs.push_back(read_.labels_file);
  refuse_standard_input_twice(inputs, "calibrate");
  check_output(output_.output, expanded_names({file}, read_.limits));
}

// Averages over a posterior are of probabilities of classes.
void Predict::check_response(const model::Model& model, const Session& session) const {
  const data::Response response = model.shape.response;
  if (!model.input.choices.column.empty())
    for (const char* name :
         {"predictive", "draws", "seed", "set", "calibrate", "intervals", "level", "top", "threshold"})
      if (session.options.given(name))
        throw ConfigError("the model chooses among candidates, whose probabilities belong together", name);
  if (response == data::Response::classes) return;
  const char* why = response == data::Response::number
                        ? "the model predicts numbers, which have no probabilities"
                        : "the model predicts sets of labels, each by itself";
  for (const char* name : {"predictive", "draws", "seed", "set", "calibrate"})
    if (session.options.given(name)) throw ConfigError(why, name);
  if (response == data::Response::labels && predictions_.intervals) throw ConfigError(why, "intervals");
}

// How improbable a class may be and still belong to a set (model/held_out_scores.hpp).
double Predict::set_threshold(const ScoringRun& run, const bayes::PosteriorPredictor* posterior,
                              Session& session) const {
  const model::Model& model = run.model();
  std::optional<model::HeldOutScores> scores = model.held_out;
  if (!predictions_.calibrate.empty()) {
    io::ReadOptions read = read_;
    read.labels_required = true;
    read.response = model.input.response;
    const std::vector<std::string> files{predictions_.calibrate};
    const data::Rows rows = load_rows(model, files, read, session, nullptr);
    model::Predictions predictions;
    if (posterior != nullptr)
      posterior->predict(rows, {0, rows.num_rows()}, model::Predictor::Detail::decisions, predictions);
    else
      model::Predictor(model).predict(rows, model::Predictor::Detail::decisions, predictions);
    scores = model::held_out_scores(rows, predictions);
    if (scores->scores.empty())
      throw_with_name(InputError({.message = "no rows to calibrate with, expected one or more"}), files,
                      read.limits);
  }
  if (!scores || scores->scores.empty())
    throw ConfigError("the model has no scores of held-out rows", "set",
                      "train it with --holdout, or give rows with --calibrate");
  if (predictions_.calibrate.empty() && predictive_.predictive != "plug-in")
    throw ConfigError("the held-out rows were scored with plug-in probabilities", "set",
                      "leave --predictive out, or give rows with --calibrate");
  const double threshold = scores->threshold(*predictions_.set);
  if (std::isinf(threshold))
    session.console.warning(
        {.kind = ErrorKind::input,
         .message =
             fmt::format("the {:g} held-out rows are too few, or too many of them have unknown labels, for "
                         "sets that cover {:g}: every class is in every set",
                         scores->total(), *predictions_.set),
         .code = "few-held-out-rows"});
  return threshold;
}

int Predict::execute(const std::vector<std::string>& arguments, Session& session) {
  read_.labels_required = false;
  check_set(arguments);
  ScoringRun run(arguments, output_.output, read_, model_limits_, session);
  const model::Predictor predictor(run.model());
  const data::Response response = run.model().shape.response;
  check_response(run.model(), session);
  const bayes::PredictiveSettings settings =
      predictive_settings(predictive_, run.model(), session.options, predictions_.intervals);
  std::optional<bayes::PosteriorPredictor> posterior;
  if (response == data::Response::classes &&
      (settings.intervals || settings.form != bayes::PredictiveForm::plug_in))
    posterior.emplace(predictor, settings);
  const double threshold =
      predictions_.set ? set_threshold(run, posterior ? &*posterior : nullptr, session) : 0;
  const auto writer = PredictionWriter::make(run.model(), predictions_,
                                             !read_.id.empty() ? read_.id : run.model().input.id, threshold);
  const auto detail = predictions_.proba || predictions_.top > 1 || predictions_.set
                          ? model::Predictor::Detail::probabilities
                          : model::Predictor::Detail::decisions;
  run.write(writer->header());
  model::Predictions predictions;
  const io::ReadSummary summary = run.for_each_block([&](const data::Rows& rows) {
    if (posterior)
      posterior->predict(rows, {0, rows.num_rows()}, detail, predictions);
    else
      predictor.predict(rows, detail, predictions);
    if (response == data::Response::number && predictions_.intervals)
      bayes::number_bounds(run.model(), rows, *predictions_.intervals, predictions);
    write_rows(*writer, rows, predictions, run);
  });
  run.finish(summary);
  return exit_done;
}

}  // namespace lazylogit::cli
