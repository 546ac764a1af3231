#include "lazylogit/eval/label_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lazylogit/base/printable.hpp"
#include "lazylogit/eval/optional_number.hpp"
#include "lazylogit/math/softmax.hpp"

namespace lazylogit::eval {
namespace {

using nlohmann::json;
using Value = std::optional<double>;

constexpr std::array all_label_metrics{
    LabelMetric{"micro_f1", "F1 over all decisions",
                [](const LabelEvaluation& e) -> Value { return e.micro_f1; }},
    LabelMetric{"macro_f1", "mean F1 of the labels that occur or are predicted",
                [](const LabelEvaluation& e) -> Value { return e.macro_f1; }},
    LabelMetric{"subset_accuracy", "share of rows whose labels are all right",
                [](const LabelEvaluation& e) -> Value { return e.subset_accuracy; }},
    LabelMetric{"hamming_loss", "share of wrong decisions",
                [](const LabelEvaluation& e) -> Value { return e.hamming_loss; }},
    LabelMetric{"log_loss", "mean over rows of the sum over labels of -ln p, not clipped",
                [](const LabelEvaluation& e) -> Value { return e.log_loss; }},
    LabelMetric{"mean_log_loss", "the same per label",
                [](const LabelEvaluation& e) -> Value { return e.mean_log_loss; }},
    LabelMetric{"mean_labels", "labels of a row",
                [](const LabelEvaluation& e) -> Value { return e.mean_labels; }},
    LabelMetric{"mean_predicted", "labels predicted for a row",
                [](const LabelEvaluation& e) -> Value { return e.mean_predicted; }},
};

}  // namespace

std::span<const LabelMetric> label_metrics() { return all_label_metrics; }

void LabelEvaluator::add(const data::Rows& rows, std::span<const double> scores) {
  const std::size_t k = labels_.size();
  losses_.resize(k);
  std::vector<bool> own(k, false);
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    const double w = rows.weights.empty() ? 1.0 : rows.weights[i];
    if (w == 0) continue;
    ++rows_;
    weight_ += w;
    const double* s = scores.data() + i * k;
    for (const ClassId c : rows.label_sets[i]) own[static_cast<std::size_t>(c)] = true;
    std::size_t wrong = 0;
    for (std::size_t c = 0; c < k; ++c) {
      const bool predicted = math::sigmoid(s[c]) >= threshold_;
      LabelScores& label = labels_[c];
      label.support += own[c] ? w : 0;
      label.predicted += predicted ? w : 0;
      label.hits += own[c] && predicted ? w : 0;
      wrong += own[c] != predicted ? 1 : 0;
      losses_[c].add(w * math::log1p_exp(own[c] ? -s[c] : s[c]));
      own_ += own[c] ? w : 0;
      predicted_ += predicted ? w : 0;
    }
    wrong_ += w * static_cast<double>(wrong);
    exact_ += wrong == 0 ? w : 0;
    for (const ClassId c : rows.label_sets[i]) own[static_cast<std::size_t>(c)] = false;
  }
}

LabelEvaluation LabelEvaluator::finish(std::uint64_t unknown_rows) const {
  LabelEvaluation e;
  e.rows = rows_;
  e.unknown_rows = unknown_rows;
  e.weight = weight_;
  e.labels = labels_;
  if (!(weight_ > 0)) return e;
  const auto k = static_cast<double>(labels_.size());
  double hits = 0, all = 0, f1 = 0, loss = 0;
  std::size_t occurring = 0;
  for (std::size_t c = 0; c < labels_.size(); ++c) {
    hits += labels_[c].hits;
    all += labels_[c].support + labels_[c].predicted;
    if (const Value own = labels_[c].f1()) f1 += *own, ++occurring;
    e.labels[c].log_loss = losses_[c].value() / weight_;
    loss += e.labels[c].log_loss;
  }
  e.subset_accuracy = exact_ / weight_;
  e.hamming_loss = wrong_ / (weight_ * k);
  if (all > 0) e.micro_f1 = 2 * hits / all;
  if (occurring > 0) e.macro_f1 = f1 / static_cast<double>(occurring);
  e.log_loss = loss;
  e.mean_log_loss = loss / k;
  e.mean_labels = own_ / weight_;
  e.mean_predicted = predicted_ / weight_;
  return e;
}

std::string report_text(const LabelEvaluation& evaluation, const data::ClassTable& labels) {
  std::string text = fmt::format("{:<28}{}\n", "rows", evaluation.rows);
  if (evaluation.unknown_rows > 0)
    text += fmt::format("{:<28}{}\n", "with unknown labels", evaluation.unknown_rows);
  if (evaluation.weight != static_cast<double>(evaluation.rows))
    text += fmt::format("{:<28}{:.8g}\n", "weight", evaluation.weight);
  for (const LabelMetric& metric : all_label_metrics) {
    const auto value = metric.get(evaluation);
    std::string name = metric.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{:<28}{}\n", name, value ? fmt::format("{:.6g}", *value) : "-");
  }
  std::size_t width = 9;
  for (const std::string& label : labels.labels()) width = std::max(width, printable(label).size());
  width = std::min<std::size_t>(width, 40) + 2;
  text += fmt::format("\n{:<{}}{:>10}{:>11}{:>9}{:>9}{:>10}\n", "label", width, "support", "precision",
                      "recall", "F1", "log loss");
  for (std::size_t c = 0; c < evaluation.labels.size(); ++c) {
    const LabelScores& own = evaluation.labels[c];
    text += fmt::format("{:<{}}{:>10.8g}{:>11}{:>9}{:>9}{:>10.4f}\n",
                        printable(labels.label(static_cast<ClassId>(c))), width, own.support,
                        text_or_dash(own.precision()), text_or_dash(own.recall()), text_or_dash(own.f1()),
                        own.log_loss);
  }
  return text;
}

std::string report_json(const LabelEvaluation& evaluation, const data::ClassTable& labels) {
  json object{
      {"rows", evaluation.rows}, {"unknown_labels", evaluation.unknown_rows}, {"weight", evaluation.weight}};
  for (const LabelMetric& metric : all_label_metrics)
    object[metric.name] = number_or_null(metric.get(evaluation));
  json each = json::array();
  for (std::size_t c = 0; c < evaluation.labels.size(); ++c) {
    const LabelScores& own = evaluation.labels[c];
    each.push_back({{"label", labels.label(static_cast<ClassId>(c))},
                    {"support", own.support},
                    {"predicted", own.predicted},
                    {"precision", number_or_null(own.precision())},
                    {"recall", number_or_null(own.recall())},
                    {"f1", number_or_null(own.f1())},
                    {"log_loss", std::isfinite(own.log_loss) ? json(own.log_loss) : json(nullptr)}});
  }
  object["labels"] = std::move(each);
  return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace lazylogit::eval
