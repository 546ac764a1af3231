#include "lazylogit/cli/train_summary.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <vector>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/printable.hpp"
#include "lazylogit/cli/model_input.hpp"
#include "lazylogit/cli/progress_text.hpp"
#include "lazylogit/cli/summary_line.hpp"
#include "lazylogit/eval/choice_evaluation.hpp"
#include "lazylogit/eval/label_evaluation.hpp"
#include "lazylogit/eval/number_evaluation.hpp"
#include "lazylogit/model/coefficient_table.hpp"
#include "lazylogit/model/describe.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::cli {
namespace {

double peak_memory_bytes() {
  rusage usage = {};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<double>(usage.ru_maxrss) * 1024 : 0;
}

std::string rows_of(const data::Rows& rows) {
  return grouped(rows.num_rows()) + " " + plural(rows.num_rows(), "row");
}

// The same for numbers and for labels.
std::string outcome_text(const model::Model& model, const data::Rows& rows) {
  const model::Predictor predictor(model);
  if (model.shape.response == data::Response::number) {
    model::Predictions predictions;
    predictor.predict(rows, model::Predictor::Detail::decisions, predictions);
    eval::NumberEvaluator evaluator;
    evaluator.add(rows, predictions);
    const eval::NumberEvaluation found = evaluator.finish();
    if (!found.rmse) return rows_of(rows) + ", none with a label";
    return fmt::format("{}, RMSE {:.6g} ({:.6g} of their mean)", rows_of(rows), *found.rmse,
                       *found.baseline_rmse);
  }
  std::vector<double> scores(rows.num_rows() * model.classes.size());
  predictor.scores(rows, scores);
  eval::LabelEvaluator evaluator(model.classes.size(), 0.5);
  evaluator.add(rows, scores);
  const eval::LabelEvaluation found = evaluator.finish(0);
  return fmt::format("{}, log loss {:.6g}, micro F1 {:.4f}, all labels right in {:.2f} %", rows_of(rows),
                     found.log_loss.value_or(0), found.micro_f1.value_or(0),
                     100 * found.subset_accuracy.value_or(0));
}

// Weighted mean log loss over the held-out rows whose label is known, and accuracy over all: as in evaluate.
std::string holdout_text(const model::Model& model, const data::Rows& rows) {
  if (!rows.choice_ends.empty()) {
    model::Predictions predictions;
    model::Predictor(model).predict(rows, model::Predictor::Detail::probabilities, predictions);
    const eval::ChoiceEvaluation found = eval::evaluate_choices(rows, predictions);
    return fmt::format("{} {}: accuracy {:.2f} %, log loss {:.6g}", grouped(found.choices),
                       plural(found.choices, "choice"), 100 * found.accuracy, found.log_loss);
  }
  model::Predictions predictions;
  model::Predictor(model).predict(rows, model::Predictor::Detail::decisions, predictions);
  double loss = 0, correct = 0, known = 0, all = 0;
  std::uint64_t unknown_rows = 0;
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    const double weight = rows.weights.empty() ? 1 : rows.weights[i];
    all += weight;
    if (rows.labels[i] == unknown_class) {
      ++unknown_rows;
      continue;
    }
    known += weight;
    loss -= weight * predictions.label_log_probability[i];
    if (predictions.best[i] == rows.labels[i]) correct += weight;
  }
  if (!(known > 0)) return rows_of(rows) + ", none with a label of the training data";
  std::string text =
      fmt::format("{}, log loss {:.6g}, accuracy {:.2f} %", rows_of(rows), loss / known, 100 * correct / all);
  if (unknown_rows > 0)
    text +=
        fmt::format("; {} with a label that training did not see, counted as wrong", grouped(unknown_rows));
  return text;
}

std::string features_text(const TrainSummary& summary, const model::Model& model) {
  std::string text = fmt::format("{}, {} {} in the data", grouped(model.shape.num_features),
                                 grouped(summary.num_nonzeros), plural(summary.num_nonzeros, "non-zero"));
  if (summary.read.hashed_features)
    text += fmt::format(
        "; {} distinct {} hashed, {} of them share a slot", grouped(*summary.read.hashed_features),
        plural(*summary.read.hashed_features, "feature"), grouped(summary.read.shared_slots.value_or(0)));
  return text;
}

}  // namespace

std::string classes_text(const data::ClassTable& classes) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t c = 0; c < std::min(shown, classes.size()); ++c)
    text += (c == 0 ? "" : ", ") + printable(classes.label(static_cast<ClassId>(c)));
  return classes.size() > shown ? fmt::format("{}, … ({} classes)", text, grouped(classes.size())) : text;
}

std::string train_summary_text(const TrainSummary& summary, const train::TrainResult& result) {
  const model::Model& model = result.model;
  const model::TrainingRecord& record = model.record;
  std::string text = summary_line("model", printable(summary.file));
  text += summary_line("rows", grouped(summary.num_rows));
  text += summary_line("features", features_text(summary, model));
  const data::Response response = model.shape.response;
  text += summary_line(response == data::Response::number   ? "predicts"
                       : response == data::Response::labels ? "labels"
                                                            : "classes",
                       classes_text(model.classes));
  text += summary_line(
      "optimizer",
      fmt::format("{}: {}", record.optimizer,
                  record.termination_message.empty() ? record.termination : record.termination_message));
  const bool number = response == data::Response::number;
  text += summary_line("error", fmt::format("{:.8g} = {:.8g} ({}) + {:.8g} (penalty, {} prior)",
                                            record.error(), -record.log_likelihood,
                                            number ? "half the sum of squared errors" : "-log likelihood",
                                            record.penalty, record.prior));
  const double mean_loss = -record.log_likelihood / summary.total_weight;
  text += number ? summary_line("RMSE", fmt::format("{:.6g}", std::sqrt(2 * mean_loss)))
                 : summary_line("log loss", fmt::format("{:.6g}", mean_loss));
  if (summary.holdout != nullptr)
    text +=
        summary_line("held out", response == data::Response::classes ? holdout_text(model, *summary.holdout)
                                                                     : outcome_text(model, *summary.holdout));
  text += summary_line("certificate", printable(model::describe_certificate(record.certificate)));
  if (model.posterior) text += summary_line("posterior", model::describe_posterior(*model.posterior));
  text += summary_line("time", fmt::format("{} reading, {} training", duration_text(summary.seconds_reading),
                                           duration_text(summary.seconds_training)));
  text += summary_line("memory", amount_text(peak_memory_bytes(), "bytes"));
  return text;
}

}  // namespace lazylogit::cli
