#include "lazylogit/eval/choice_evaluation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace lazylogit::eval {

ChoiceEvaluation evaluate_choices(const data::Rows& rows, const model::Predictions& predictions) {
  ChoiceEvaluation result;
  double total = 0;
  std::uint64_t first = 0;
  const auto probability = [&](std::size_t j) { return predictions.probabilities[2 * j + 1]; };
  for (const std::uint64_t last : rows.choice_ends) {
    std::size_t taken = last;
    std::uint64_t count = 0;
    for (std::size_t j = first; j < last; ++j)
      if (rows.labels[j] == 1) taken = j, ++count;
    const double w = rows.weights.empty() ? 1 : rows.weights[first];
    if (count == 1 && w > 0) {
      double rank = 1;
      for (std::size_t j = first; j < last; ++j)
        if (j != taken)
          rank += probability(j) > probability(taken) ? 1 : probability(j) == probability(taken) ? 0.5 : 0;
      ++result.choices;
      result.candidates += last - first;
      total += w;
      result.accuracy += predictions.best[taken] == 1 ? w : 0;
      result.log_loss -= w * predictions.label_log_probability[taken];
      result.baseline += w * std::log(static_cast<double>(last - first));
      result.reciprocal_rank += w / rank;
    }
    first = last;
  }
  if (total > 0)
    for (double* value : {&result.accuracy, &result.log_loss, &result.baseline, &result.reciprocal_rank})
      *value /= total;
  return result;
}

std::string report_text(const ChoiceEvaluation& evaluation) {
  return fmt::format(
      "choices          {}, {} candidates\naccuracy         {:.6g}\nlog loss         {:.6g}, of candidates "
      "that are all alike "
      "{:.6g}\nreciprocal rank  {:.6g}\n",
      evaluation.choices, evaluation.candidates, evaluation.accuracy, evaluation.log_loss,
      evaluation.baseline, evaluation.reciprocal_rank);
}

std::string report_json(const ChoiceEvaluation& evaluation) {
  return nlohmann::ordered_json{{"choices", evaluation.choices},
                                {"candidates", evaluation.candidates},
                                {"accuracy", evaluation.accuracy},
                                {"log_loss", evaluation.log_loss},
                                {"baseline_log_loss", evaluation.baseline},
                                {"reciprocal_rank", evaluation.reciprocal_rank}}
             .dump(2) +
         "\n";
}

}  // namespace lazylogit::eval
