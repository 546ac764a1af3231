#include "lazylogit/eval/number_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "lazylogit/eval/optional_number.hpp"

namespace lazylogit::eval {
namespace {

using Value = std::optional<double>;

constexpr std::array all_number_metrics{
    NumberMetric{"rmse", "root of the mean squared error, in units of the labels",
                 [](const NumberEvaluation& e) -> Value { return e.rmse; }},
    NumberMetric{"baseline_rmse", "the same of always answering the mean of these labels",
                 [](const NumberEvaluation& e) -> Value { return e.baseline_rmse; }},
    NumberMetric{"r2", "share of the labels' variance that the predictions explain",
                 [](const NumberEvaluation& e) -> Value { return e.r2; }},
    NumberMetric{"mae", "mean absolute error", [](const NumberEvaluation& e) -> Value { return e.mae; }},
    NumberMetric{"mse", "mean squared error", [](const NumberEvaluation& e) -> Value { return e.mse; }},
    NumberMetric{"mean_error", "mean of prediction minus label",
                 [](const NumberEvaluation& e) -> Value { return e.mean_error; }},
    NumberMetric{"largest_error", "largest absolute error",
                 [](const NumberEvaluation& e) -> Value { return e.largest_error; }},
};

}  // namespace

std::span<const NumberMetric> number_metrics() { return all_number_metrics; }

void NumberEvaluator::add(const data::Rows& rows, const model::Predictions& predictions) {
  for (std::size_t i = 0; i < rows.num_rows(); ++i) {
    const double w = rows.weights.empty() ? 1.0 : rows.weights[i];
    if (w == 0) continue;
    ++counts_.rows;
    if (rows.targets.empty() || std::isnan(rows.targets[i])) {
      ++counts_.unknown_rows;
      continue;
    }
    const double y = rows.targets[i], error = predictions.numbers[i] - y;
    weight_.add(w);
    squares_.add(w * error * error);
    absolutes_.add(w * std::abs(error));
    errors_.add(w * error);
    largest_ = std::max(largest_, std::abs(error));
    total_ += w;
    const double delta = y - mean_;
    mean_ += delta * w / total_;
    spread_ += w * delta * (y - mean_);
  }
}

NumberEvaluation NumberEvaluator::finish() const {
  NumberEvaluation e = counts_;
  e.weight = weight_.value();
  if (!(e.weight > 0)) return e;
  e.mse = squares_.value() / e.weight;
  e.rmse = std::sqrt(*e.mse);
  e.mae = absolutes_.value() / e.weight;
  e.mean_error = errors_.value() / e.weight;
  e.largest_error = largest_;
  e.baseline_rmse = std::sqrt(spread_ / e.weight);
  if (spread_ > 0) e.r2 = 1 - squares_.value() / spread_;
  return e;
}

std::string report_text(const NumberEvaluation& evaluation) {
  std::string text = fmt::format("{:<28}{}\n", "rows", evaluation.rows);
  if (evaluation.unknown_rows > 0)
    text += fmt::format("{:<28}{}\n", "without label", evaluation.unknown_rows);
  if (evaluation.weight != static_cast<double>(evaluation.rows))
    text += fmt::format("{:<28}{:.8g}\n", "weight", evaluation.weight);
  for (const NumberMetric& metric : all_number_metrics) {
    const auto value = metric.get(evaluation);
    std::string name = metric.name;
    std::replace(name.begin(), name.end(), '_', ' ');
    text += fmt::format("{:<28}{}\n", name, value ? fmt::format("{:.6g}", *value) : "-");
  }
  return text;
}

std::string report_json(const NumberEvaluation& evaluation) {
  nlohmann::json object{
      {"rows", evaluation.rows}, {"unknown_labels", evaluation.unknown_rows}, {"weight", evaluation.weight}};
  for (const NumberMetric& metric : all_number_metrics)
    object[metric.name] = number_or_null(metric.get(evaluation));
  return object.dump(2) + "\n";
}

}  // namespace lazylogit::eval
