#include "lazylogit/cli/commands/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/printable.hpp"
#include "lazylogit/base/standard_input.hpp"
#include "lazylogit/cli/exit_code.hpp"
#include "lazylogit/cli/form_evaluators.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/scoring_run.hpp"
#include "lazylogit/config/option_set.hpp"
#include "lazylogit/eval/choice_evaluation.hpp"
#include "lazylogit/eval/evaluator.hpp"
#include "lazylogit/eval/label_evaluation.hpp"
#include "lazylogit/eval/number_evaluation.hpp"
#include "lazylogit/eval/report.hpp"

namespace lazylogit::cli {
namespace {

const config::Table<EvaluateOptions>& evaluate_fields() {
  static const config::Table<EvaluateOptions> table = [] {
    config::TableBuilder<EvaluateOptions> t;
    t.group("Evaluation");
    t.add({.name = "json", .help = "every metric as one JSON document"}, &EvaluateOptions::json);
    t.add({.name = "worst", .value = "N", .help = "how many of the most frequent confusions to show"},
          &EvaluateOptions::worst);
    t.add({.name = "threshold",
           .value = "P",
           .help = "several labels: those of a probability of at least P are predicted",
           .bounds = config::between(0, 1),
           .unset = "0.5"},
          &EvaluateOptions::threshold);
    return std::move(t).build();
  }();
  return table;
}

// Labels that the model does not know, gathered from all blocks.
class UnknownLabels {
 public:
  void add(const data::Rows& rows) {
    for (const std::string& label : rows.unknown_labels) {
      if (std::find(labels_.begin(), labels_.end(), label) != labels_.end()) continue;
      ++count_;
      if (labels_.size() < shown) labels_.push_back(label);
    }
  }
  void report(const io::ReadSummary& summary, const std::vector<std::string>& data, Console& console,
              const char* fate = "count as wrong") const {
    if (summary.unknown_labels == 0) return;
    std::string names;
    for (const std::string& label : labels_) names += (names.empty() ? "" : ", ") + quote_text(label);
    console.warning(
        {.kind = ErrorKind::input,
         .message = fmt::format("labels unknown to the model {}: {}{} ({} {})", fate, names,
                                count_ > labels_.size() ? ", …" : "", grouped(summary.unknown_labels),
                                plural(summary.unknown_labels, "row")),
         .file = data.size() == 1 ? input_name(data.front()) : std::string(),
         .code = "unknown-label"});
  }

 private:
  static constexpr std::size_t shown = 8;
  std::vector<std::string> labels_;
  std::size_t count_ = 0;
};

}  // namespace

const CommandInfo& Evaluate::info() const {
  static const CommandInfo info = {
      .name = "evaluate",
      .arguments = "MODEL DATA…",
      .summary = "accuracy, log loss, calibration, confusion matrix …",
      .description =
          "Compares the model's predictions with the labels of DATA. Log loss and the other numbers about "
          "probabilities are "
          "over the rows whose label the model knows, never clipped; an unknown label counts as a wrong "
          "decision.",
      .examples = {{"evaluate model.safetensors test.csv", "a report to read"},
                   {"evaluate model.safetensors test.csv --json | jq .accuracy", "one number"},
                   {"evaluate model.safetensors test.svm --worst 30", "the thirty most frequent confusions"}},
      .min_arguments = 2};
  return info;
}

void Evaluate::declare(config::OptionSet& options) {
  static const auto out = output_fields("where the report goes, written atomically", "standard output");
  options.add(out, output_);
  options.add(evaluate_fields(), evaluate_);
  options.add(predictive_fields(), predictive_);
  options.add(io::read_fields(), read_, {"Input"});
  options.add(io::other_column_fields(), read_);
  options.add(io::read_fields(), read_, {"Limits"});
  options.add(model_limit_fields(), model_limits_);
}

// Numbers and labels: the model's own predictions against the labels of the data.
int Evaluate::evaluate_response(ScoringRun& run, Session& session) const {
  for (const char* name : {"predictive", "draws", "seed", "worst"})
    if (session.options.given(name))
      throw ConfigError(
          "it is for models of classes; the model predicts " +
              std::string(run.model().shape.response == data::Response::number ? "numbers"
                                                                               : "sets of labels"),
          name);
  const model::Model& model = run.model();
  const model::Predictor predictor(model);
  const bool number = model.shape.response == data::Response::number;
  if (number && evaluate_.threshold)
    throw ConfigError("the model predicts numbers, which have no probabilities", "threshold");
  eval::NumberEvaluator numbers;
  eval::LabelEvaluator labels(model.classes.size(), evaluate_.threshold.value_or(0.5));
  UnknownLabels unknown;
  model::Predictions predictions;
  std::vector<double> scores;
  const io::ReadSummary summary = run.for_each_block([&](const data::Rows& rows) {
    unknown.add(rows);
    if (number) {
      predictor.predict(rows, model::Predictor::Detail::decisions, predictions);
      numbers.add(rows, predictions);
    } else {
      scores.resize(rows.num_rows() * model.classes.size());
      predictor.scores(rows, scores);
      labels.add(rows, scores);
    }
  });
  const eval::NumberEvaluation of_numbers = numbers.finish();
  const eval::LabelEvaluation of_labels = labels.finish(summary.unknown_labels);
  if ((number ? of_numbers.rows : of_labels.rows) == 0)
    run.reject("no rows to evaluate, expected one or more");
  run.write(number           ? evaluate_.json ? eval::report_json(of_numbers) : eval::report_text(of_numbers)
                      : evaluate_.json ? eval::report_json(of_labels, model.classes)
                             : printable_lines(eval::report_text(of_labels, model.classes)));
  unknown.report(summary, run.data(), session.console, "are left out");
  run.finish(summary);
  return exit_done;
}

// Choices: how often the taken candidate is the most probable one, and how probable it is.
int Evaluate::evaluate_choices(ScoringRun& run, Session& session) const {
  for (const char* name : {"predictive", "draws", "seed", "worst", "threshold"})
    if (session.options.given(name))
      throw ConfigError("it is for models of classes; the model chooses among candidates", name);
  const model::Predictor predictor(run.model());
  eval::ChoiceEvaluation evaluation;
  model::Predictions predictions;
  const io::ReadSummary summary = run.for_each_block([&](const data::Rows& rows) {
    predictor.predict(rows, model::Predictor::Detail::probabilities, predictions);
    evaluation = eval::evaluate_choices(rows, predictions);
  });
  if (evaluation.choices == 0)
    run.reject("no choices with a taken candidate to evaluate, expected one or more");
  run.write(evaluate_.json ? eval::report_json(evaluation) : eval::report_text(evaluation));
  run.finish(summary);
  return exit_done;
}

int Evaluate::execute(const std::vector<std::string>& arguments, Session& session) {
  ScoringRun run(arguments, output_.output, read_, model_limits_, session);
  if (run.model().shape.response != data::Response::classes) return evaluate_response(run, session);
  if (!run.model().input.choices.column.empty()) return evaluate_choices(run, session);
  if (evaluate_.threshold)
    throw ConfigError("it is for models of several labels; classes are decided by the largest probability",
                      "threshold");
  const model::Predictor predictor(run.model());
  FormEvaluators evaluators(predictor, predictive_settings(predictive_, run.model(), session.options, {}));
  UnknownLabels unknown;
  const io::ReadSummary summary = run.for_each_block([&](const data::Rows& rows) {
    unknown.add(rows);
    evaluators.add(rows);
  });
  evaluators.finish();
  const eval::Evaluation& evaluation = evaluators.chosen();
  if (evaluation.rows == 0) run.reject("no rows to evaluate, expected one or more");
  const data::ClassTable& classes = run.model().classes;
  run.write(evaluate_.json
                ? evaluators.with_forms_json(eval::report_json(evaluation, classes))
                : printable_lines(eval::report_text(
                      evaluation, classes, {.worst_confusions = static_cast<std::size_t>(evaluate_.worst)})) +
                      evaluators.forms_text());
  unknown.report(summary, run.data(), session.console);
  run.finish(summary);
  return exit_done;
}

}  // namespace lazylogit::cli
