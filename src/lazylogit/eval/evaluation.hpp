// What an evaluation found. Filled by Evaluator; shown by report.hpp; metrics.hpp is the list of its single
// numbers.
//
// Every row counts with its weight w. Numbers about decisions (accuracy, precision, recall, F1, confusions)
// are over all rows, and a label that the model does not know counts as wrong. Numbers about probabilities
// (log loss, entropy, Brier, AUC, calibration) are over the rows whose label it knows. Nothing: there was no
// row to compute it from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lazylogit/base/types.hpp"

namespace lazylogit::eval {

struct ClassScores {
  double support = 0;    // weight of the rows with this label
  double predicted = 0;  // weight of the rows with this decision
  double hits = 0;       // weight of both
  std::optional<double> precision() const {
    return predicted > 0 ? std::optional(hits / predicted) : std::nullopt;
  }
  std::optional<double> recall() const { return support > 0 ? std::optional(hits / support) : std::nullopt; }
  // 2 hits / (support + predicted): 0 where nothing was hit, nothing for a class that does not occur.
  std::optional<double> f1() const {
    return support + predicted > 0 ? std::optional(2 * hits / (support + predicted)) : std::nullopt;
  }
  std::optional<double> auc;  // this class against the rest
};

struct CalibrationBin {  // rows whose decision has a probability in (lower, upper]
  double lower = 0, upper = 0;
  double weight = 0;
  std::optional<double> mean_probability = {}, accuracy = {};  // nothing in an empty bin
};

struct Confusion {
  ClassId label;  // unknown_class: a label that the model does not know
  ClassId prediction;
  double weight;
};

struct Evaluation {
  std::uint64_t rows = 0;          // of positive weight
  std::uint64_t unknown_rows = 0;  // of those, with a label that the model does not know, or without one
  double weight = 0, known_weight = 0;
  std::optional<double> accuracy;
  std::optional<double> majority_accuracy;  // of always deciding for the most frequent known label
  std::optional<double> log_loss;           // mean −ln p(label), nats, never clipped
  std::optional<double> entropy;            // mean H(p) = −Σ p ln p of the predicted distributions, nats
  std::optional<double> macro_precision, macro_recall,
      macro_f1;  // means over classes that occur as label or decision
  std::optional<double> micro_f1;
  std::optional<double> auc;        // two classes: of the second; more: mean over classes against the rest
  std::optional<double> brier;      // two classes: mean (p − y)² of the second class; more: brier_sum
  std::optional<double> brier_sum;  // mean Σ_c (p_c − y_c)²
  std::optional<double> expected_calibration_error;
  bool auc_left_out =
      false;  // the scores of all classes would not have fitted into the memory set aside for them
  std::vector<ClassScores> classes;
  std::vector<CalibrationBin> calibration;
  std::vector<Confusion> confusions;  // every pair that occurs, hits included: by label, then by prediction
};

}  // namespace lazylogit::eval
