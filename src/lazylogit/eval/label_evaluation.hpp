// How well sets of labels are predicted: sums over rows that come block by block.
//
// A label is predicted where its probability is at least `threshold`. Every row counts with its weight w; k labels.
//   hamming_loss    share of the row–label pairs that are wrong           subset_accuracy  share of rows without a wrong one
//   micro_f1        2 tp/(2 tp + fp + fn) over all pairs                   macro_f1         mean of the labels' own F1, over
//                                                                          labels that occur or are predicted
//   log_loss        mean over rows of Σ_labels −ln p, not clipped          mean_log_loss    that divided by k
// Labels that the model does not know are not among the k; rows that have some are counted, and are never exact.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lazylogit/data/class_table.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/math/compensated_sum.hpp"

namespace lazylogit::eval {

struct LabelScores {
  double support = 0, predicted = 0, hits = 0,
         log_loss = 0;  // weights of rows; log_loss a mean over all of them
  std::optional<double> precision() const {
    return predicted > 0 ? std::optional(hits / predicted) : std::nullopt;
  }
  std::optional<double> recall() const { return support > 0 ? std::optional(hits / support) : std::nullopt; }
  std::optional<double> f1() const {
    return support + predicted > 0 ? std::optional(2 * hits / (support + predicted)) : std::nullopt;
  }
};

struct LabelEvaluation {
  std::uint64_t rows = 0;
  std::uint64_t unknown_rows = 0;  // with a label that the model does not know
  double weight = 0;
  std::optional<double> subset_accuracy, hamming_loss, micro_f1, macro_f1, log_loss, mean_log_loss,
      mean_labels, mean_predicted;
  std::vector<LabelScores> labels;
};

struct LabelMetric {
  const char* name;
  const char* help;
  std::optional<double> (*get)(const LabelEvaluation&);
};
std::span<const LabelMetric> label_metrics();

class LabelEvaluator {
 public:
  LabelEvaluator(std::size_t num_labels, double threshold) : labels_(num_labels), threshold_(threshold) {}
  // `scores`: those of the rows, label by label (model::Predictor::scores).
  void add(const data::Rows& rows, std::span<const double> scores);
  // `unknown_rows`: with labels that the model does not know.
  LabelEvaluation finish(std::uint64_t unknown_rows) const;

 private:
  std::vector<LabelScores> labels_;
  std::vector<math::CompensatedSum> losses_;
  double threshold_, weight_ = 0, exact_ = 0, wrong_ = 0, own_ = 0, predicted_ = 0;
  std::uint64_t rows_ = 0;
};

std::string report_text(const LabelEvaluation& evaluation, const data::ClassTable& labels);
std::string report_json(const LabelEvaluation& evaluation, const data::ClassTable& labels);

}  // namespace lazylogit::eval
