#include "lazylogit/eval/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/eval/calibration.hpp"
#include "lazylogit/eval/ranking.hpp"
#include "lazylogit/math/compensated_sum.hpp"

namespace lazylogit::eval {
namespace {

// Weighted counts of (label, prediction); few of the possible pairs occur when there are many classes.
class ConfusionCounts {
 public:
  void add(ClassId label, ClassId prediction, double weight) { counts_[key(label, prediction)].add(weight); }
  std::vector<Confusion> sorted() const {
    std::vector<Confusion> all;
    for (const auto& [pair, weight] : counts_)
      all.push_back(
          {static_cast<ClassId>(pair >> 32) - 1, static_cast<ClassId>(pair & 0xffffffff), weight.value()});
    std::sort(all.begin(), all.end(), [](const Confusion& a, const Confusion& b) {
      return a.label != b.label ? a.label < b.label : a.prediction < b.prediction;
    });
    return all;
  }

 private:
  static std::uint64_t key(ClassId label, ClassId prediction) {
    return static_cast<std::uint64_t>(label + 1) << 32 | static_cast<std::uint64_t>(prediction);
  }
  std::unordered_map<std::uint64_t, math::CompensatedSum> counts_;
};

// What one row adds, computed in parallel and summed in order.
struct RowTerms {
  double entropy;
  double brier_sum;
};

RowTerms row_terms(const double* p, std::size_t classes, ClassId label) {
  RowTerms terms{0, 0};
  for (std::size_t c = 0; c < classes; ++c) {
    if (p[c] > 0) terms.entropy -= p[c] * std::log(p[c]);
    const double difference = p[c] - (static_cast<ClassId>(c) == label ? 1.0 : 0.0);
    terms.brier_sum += difference * difference;
  }
  return terms;
}

}  // namespace

struct Evaluator::State {
  State(std::size_t num_classes, PredictRows used, EvaluatorOptions chosen)
      : predict(std::move(used)), options(chosen), classes(num_classes) {}

  PredictRows predict;
  EvaluatorOptions options;
  std::size_t classes;
  Evaluation result;
  math::CompensatedSum weight, known_weight, correct, loss, entropy, brier;
  Calibration calibration;
  ConfusionCounts confusions;
  // For the AUC, one entry per row with a known label: its class, weight and the probabilities (two classes:
  // ln odds).
  Buffer<ClassId> kept_labels;
  Buffer<double> kept_weights, kept_scores;
  bool keep = true;

  std::size_t scores_per_row() const noexcept { return classes == 2 ? 1 : classes; }

  void keep_scores(const double* p, ClassId label, double row_weight) {
    if (!keep) return;
    kept_labels.push_back(label);
    kept_weights.push_back(row_weight);
    if (classes == 2)
      kept_scores.push_back(std::log(p[1]) - std::log(p[0]));  // does not saturate where p does
    else
      kept_scores.append({p, classes});
    if (classes == 2 || kept_scores.size() * sizeof(double) <= options.score_memory) return;
    keep = false;
    result.auc_left_out = true;
    kept_scores = {};
    kept_labels = {};
    kept_weights = {};
  }

  void add_row(const model::Predictions& predictions, std::size_t i, ClassId label, double row_weight,
               const RowTerms& terms) {
    if (row_weight <= 0) return;
    const ClassId best = predictions.best[i];
    const bool hit = best == label;
    ++result.rows;
    weight.add(row_weight);
    confusions.add(label, best, row_weight);
    if (hit) correct.add(row_weight);
    if (label == unknown_class) {
      ++result.unknown_rows;
      return;
    }
    known_weight.add(row_weight);
    loss.add(-row_weight * predictions.label_log_probability[i]);
    entropy.add(row_weight * terms.entropy);
    brier.add(row_weight * terms.brier_sum);
    calibration.add(predictions.best_probability[i], hit, row_weight);
    keep_scores(predictions.probabilities.data() + i * classes, label, row_weight);
  }

  std::optional<double> class_auc(std::size_t c) const {
    std::vector<RankedRow> ranked(kept_labels.size());
    const std::size_t width = scores_per_row();
    for (std::size_t i = 0; i < ranked.size(); ++i)
      ranked[i] = {kept_scores[i * width + (width == 1 ? 0 : c)],
                   static_cast<std::size_t>(kept_labels[i]) == c ? kept_weights[i] : -kept_weights[i]};
    return area_under_curve(ranked);
  }

  void finish_auc() {
    if (!keep) return;
    if (classes == 2) {
      result.auc = result.classes[0].auc = result.classes[1].auc = class_auc(1);
      return;
    }
    parallel_blocks(classes, [&](std::size_t c) {
      if (result.classes[c].support > 0) result.classes[c].auc = class_auc(c);
    });
    math::CompensatedSum sum;
    std::size_t count = 0;
    for (const ClassScores& scores : result.classes)
      if (scores.auc) {
        sum.add(*scores.auc);
        ++count;
      }
    if (count > 0) result.auc = sum.value() / static_cast<double>(count);
  }

  void finish_classes() {
    result.confusions = confusions.sorted();
    result.classes.resize(classes);
    for (const Confusion& pair : result.confusions) {
      result.classes[static_cast<std::size_t>(pair.prediction)].predicted += pair.weight;
      if (pair.label == unknown_class) continue;
      ClassScores& own = result.classes[static_cast<std::size_t>(pair.label)];
      own.support += pair.weight;
      if (pair.label == pair.prediction) own.hits += pair.weight;
    }
    math::CompensatedSum precision, recall, f1;
    double count = 0, majority = 0;
    for (const ClassScores& own : result.classes) {
      majority = std::max(majority, own.support);
      if (!own.f1()) continue;
      count += 1;
      precision.add(own.precision().value_or(0));  // a class that is never decided for has precision 0
      recall.add(own.recall().value_or(0));
      f1.add(*own.f1());
    }
    if (count == 0) return;
    result.macro_precision = precision.value() / count;
    result.macro_recall = recall.value() / count;
    result.macro_f1 = f1.value() / count;
    result.majority_accuracy = majority / result.weight;
  }
};

Evaluator::Evaluator(const model::Predictor& predictor, EvaluatorOptions options)
    : Evaluator(
          predictor.num_classes(),
          [&predictor](const data::Rows& rows, model::RowInterval interval, model::Predictions& out) {
            predictor.predict(rows, interval, model::Predictor::Detail::probabilities, out);
          },
          options) {}
Evaluator::Evaluator(std::size_t num_classes, PredictRows predict, EvaluatorOptions options)
    : state_(std::make_unique<State>(num_classes, std::move(predict), options)) {}
Evaluator::~Evaluator() = default;

void Evaluator::add(const data::Rows& rows) {
  State& state = *state_;
  const std::size_t classes = state.classes;
  // Bounded memory for many classes; row blocks of one thread's size within a chunk.
  const std::size_t chunk = std::max<std::size_t>(1, (std::size_t{4} << 20) / classes), block = 256;
  model::Predictions predictions;
  std::vector<RowTerms> terms;
  for (std::size_t from = 0; from < rows.num_rows(); from += chunk) {
    const std::size_t count = std::min(chunk, rows.num_rows() - from);
    state.predict(rows, {from, from + count}, predictions);
    terms.resize(count);
    const auto label = [&](std::size_t i) {
      return rows.labels.empty() ? unknown_class : rows.labels[from + i];
    };
    parallel_blocks(num_blocks_of(count, block), [&](std::size_t b) {
      for (std::size_t i = b * block; i < std::min(count, (b + 1) * block); ++i)
        terms[i] = row_terms(predictions.probabilities.data() + i * classes, classes, label(i));
    });
    for (std::size_t i = 0; i < count; ++i)
      state.add_row(predictions, i, label(i), rows.weights.empty() ? 1.0 : rows.weights[from + i], terms[i]);
  }
}

Evaluation Evaluator::finish() {
  State& state = *state_;
  Evaluation& result = state.result;
  result.weight = state.weight.value();
  result.known_weight = state.known_weight.value();
  if (result.weight > 0) {
    result.accuracy = state.correct.value() / result.weight;
    result.micro_f1 =
        result.accuracy;  // one label and one decision per row: every error is one false and one missed
  }
  if (result.known_weight > 0) {
    result.log_loss = state.loss.value() / result.known_weight;
    result.entropy = state.entropy.value() / result.known_weight;
    result.brier_sum = state.brier.value() / result.known_weight;
    result.brier = state.classes == 2 ? *result.brier_sum / 2 : *result.brier_sum;
  }
  state.finish_classes();
  state.finish_auc();
  result.calibration = state.calibration.bins();
  result.expected_calibration_error = state.calibration.expected_error();
  return std::move(result);
}

}  // namespace lazylogit::eval
