#include "lazylogit/model/held_out_scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::model {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

double HeldOutScores::total() const noexcept {
  return weights.empty() ? static_cast<double>(scores.size())
                         : std::accumulate(weights.begin(), weights.end(), 0.0);
}

double HeldOutScores::threshold(double level) const noexcept {
  // Rounding must not ask for one row more than 0.9 · 10 = 9 says.
  const double needed = level * (total() + 1) * (1 - 1e-12);
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    sum += weights.empty() ? 1.0 : weights[i];
    if (sum >= needed) return scores[i];
  }
  return infinity;
}

HeldOutScores held_out_scores(const data::Rows& rows, const Predictions& predictions) {
  struct Scored {
    double score, weight;
  };
  std::vector<Scored> all;
  bool weighted = false;
  for (std::size_t j = 0; j < rows.num_rows(); ++j) {
    const double weight = rows.weights.empty() ? 1.0 : rows.weights[j];
    if (!(weight > 0)) continue;
    const double log_p = predictions.label_log_probability[j];
    all.push_back({std::isnan(log_p) ? infinity : std::max(0.0, -log_p), weight});
    weighted = weighted || weight != 1;
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Scored& a, const Scored& b) { return a.score < b.score; });
  HeldOutScores result;
  for (const Scored& row : all) {
    result.scores.push_back(row.score);
    if (weighted) result.weights.push_back(row.weight);
  }
  return result;
}

void conformal_set(std::span<const double> probabilities, double threshold, std::vector<ClassId>& out) {
  std::vector<ClassId> order(probabilities.size());
  std::iota(order.begin(), order.end(), ClassId{0});
  std::stable_sort(order.begin(), order.end(), [&](ClassId a, ClassId b) {
    return probabilities[static_cast<std::size_t>(a)] > probabilities[static_cast<std::size_t>(b)];
  });
  for (std::size_t k = 0; k < order.size(); ++k) {
    // Probabilities of the held-out label and of this class come from the same softmax, but one went through a
    // logarithm: a last digit must not turn a row away.
    const double score = -std::log(probabilities[static_cast<std::size_t>(order[k])]);
    if (k > 0 && !(score <= threshold + 1e-12 * std::abs(threshold) + 1e-15)) break;
    out.push_back(order[k]);
  }
}

}  // namespace lazylogit::model
