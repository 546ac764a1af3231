// From rows to class scores, decisions and probabilities: the one place where a model is applied.
//
// Rows are scored in blocks, in parallel; every row's numbers depend on that row alone, so neither the block
// size nor the number of threads changes a bit. Scores are Σ x_i b_{c,i} plus the intercept (plus the row's
// offset for the second of two classes); the reference class has score 0. The decision is the class of the
// largest score, the first one of equals. A model of numbers gives its one score; one of labels gives a probability for
// each. A score beyond the range of a double says nothing about a row: it is refused (ScoreOverflow). The model must outlive its
// Predictor. Rows that are candidates of choices get the probability of being taken from
// among those of their choice; the decision is for the most probable one of each.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/types.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

// A stretch of rows, [first, last).
struct RowInterval {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t size() const noexcept { return last - first; }
};

// A row whose score is not finite; the first one, whatever the number of threads. Who reads rows in blocks adds those before.
class ScoreOverflow : public InputError {
 public:
  explicit ScoreOverflow(std::size_t row);  // counts from 0
  std::size_t row() const noexcept { return row_; }

 private:
  std::size_t row_;
};

struct Predictions {
  Buffer<double>
      numbers;           // a model of numbers: what it predicts, and nothing of the rest but lower and upper
  Buffer<ClassId> best;  // a model of classes
  Buffer<double> best_probability;
  Buffer<double> label_log_probability;     // ln p(label), never clipped; NaN where the label is unknown
  Buffer<double> probabilities;             // rows × classes, only when asked for; of labels always
  Buffer<double> lower, upper;              // interval of best_probability; bayes/predictive.hpp only
  Buffer<double> class_lower, class_upper;  // rows × classes, likewise
};

class Predictor {
 public:
  explicit Predictor(const Model& model);

  std::size_t num_classes() const noexcept { return shape_.num_classes; }
  const Model& model() const noexcept { return *model_; }

  enum class Detail { decisions, probabilities };
  // Overwrites `out`. Rows must not have more features than the model (ConfigError).
  void predict(const data::Rows& rows, Detail detail, Predictions& out) const {
    predict(rows, {0, rows.num_rows()}, detail, out);
  }
  // The same for some of the rows; out's first entry belongs to the first of them.
  void predict(const data::Rows& rows, RowInterval interval, Detail detail, Predictions& out) const;

  // scores[i · num_classes + c], the reference's 0 included; i counts from the first row of the interval.
  void scores(const data::Rows& rows, RowInterval interval, std::span<double> scores) const;
  void scores(const data::Rows& rows, std::span<double> out) const {
    scores(rows, {0, rows.num_rows()}, out);
  }

  // The probabilities of some rows alone, out[num_classes · i + c], on the calling thread: those of predict(). Not of
  // numbers, nor of choices.
  bool has_probabilities() const noexcept;
  void probabilities(const data::Rows& rows, RowInterval interval, double* out) const;
  // The same of rows whose ids nobody has looked at. False where one is not below `num_features` (at most the model's):
  // then `out` means nothing. Value is float or double.
  template <class Value>
  [[nodiscard]] bool checked_probabilities(const math::RowRange& rows, const Value* values,
                                           std::size_t num_features, double* out) const;

 private:
  void check(const data::Rows& rows) const;
  // Vector scores of rows [first, last), `stride` apart, offsets added. The first row where one is not finite, or `last`.
  [[nodiscard]] std::size_t vector_scores(const data::Rows& rows, RowInterval interval, double* scores) const;
  void add_offsets(const data::Rows& rows, RowInterval interval, double* scores) const;
  void decide_two(const data::Rows& rows, RowInterval part, std::size_t at, double* scores,
                  Predictions& out) const;
  void decide_many(const data::Rows& rows, RowInterval part, std::size_t at, double* scores,
                   Predictions& out) const;
  math::ScoreTable score_table() const noexcept;
  // Calls score(first, last, scores) for stretches of `count` rows and turns scores into probabilities, as long as it
  // returns true.
  template <class Score>
  bool turn_scores(std::size_t count, double* out, const Score& score) const;
  void many_probabilities(double* scores, std::size_t count, double* out) const;
  void decide_labels(RowInterval part, std::size_t at, double* scores, Predictions& out) const;
  std::size_t rows_per_block() const noexcept;
  // Choices: the log odds of each row being taken, of all rows.
  std::vector<double> choice_scores(const data::Rows& rows) const;
  void predict_choices(const data::Rows& rows, RowInterval interval, Predictions& out) const;

  const Model* model_;
  Shape shape_;
};

}  // namespace lazylogit::model
