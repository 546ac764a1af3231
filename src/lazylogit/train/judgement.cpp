#include "lazylogit/train/judgement.hpp"

#include <vector>

#include "lazylogit/eval/label_evaluation.hpp"
#include "lazylogit/eval/number_evaluation.hpp"
#include "lazylogit/model/predictor.hpp"
#include "lazylogit/optim/fit_summary.hpp"

namespace lazylogit::train {
namespace {

Judgement judge_labels(const model::Model& model, const data::Rows& rows) {
  const std::size_t labels = model.shape.num_classes;
  std::vector<double> scores(rows.num_rows() * labels);
  model::Predictor(model).scores(rows, scores);
  eval::LabelEvaluator evaluator(labels, 0.5);
  evaluator.add(rows, scores);
  const eval::LabelEvaluation found = evaluator.finish(0);
  return {found.log_loss.value_or(optim::not_computed), 1 - found.hamming_loss.value_or(optim::not_computed)};
}

}  // namespace

Judgement judge(const model::Model& model, const data::Rows& rows) {
  if (model.shape.response == data::Response::labels) return judge_labels(model, rows);
  model::Predictions predictions;
  model::Predictor(model).predict(rows, model::Predictor::Detail::decisions, predictions);
  if (model.shape.response == data::Response::number) {
    eval::NumberEvaluator evaluator;
    evaluator.add(rows, predictions);
    const eval::NumberEvaluation found = evaluator.finish();
    return {found.mse.value_or(optim::not_computed), found.r2.value_or(optim::not_computed)};
  }
  double loss = 0, right = 0, total = 0;
  for (std::size_t j = 0; j < rows.num_rows(); ++j) {
    if (!rows.choice_ends.empty() && rows.labels[j] != 1) continue;  // a choice counts by its taken candidate
    const double w = rows.weights.empty() ? 1 : rows.weights[j];
    if (w == 0 || rows.labels[j] == unknown_class) continue;
    total += w;
    loss -= w * predictions.label_log_probability[j];
    right += predictions.best[j] == rows.labels[j] ? w : 0;
  }
  return total > 0 ? Judgement{loss / total, right / total}
                   : Judgement{optim::not_computed, optim::not_computed};
}

}  // namespace lazylogit::train
