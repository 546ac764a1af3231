// Evaluates a model on rows that come block by block.
//
// Sums are taken in row order with compensation: neither blocks nor threads change a digit. Memory: a few
// numbers per class and pair of classes that occurs, and for the AUC the scores of all rows (16 bytes each
// for two classes, 8 per class for more). When the scores of many classes would exceed `score_memory`, they
// are given up and the AUC is left out.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/eval/evaluation.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::eval {

struct EvaluatorOptions {
  std::size_t score_memory = std::size_t{1} << 30;  // bytes
};

// Predicts the rows of an interval, with probabilities.
using PredictRows = std::function<void(const data::Rows&, model::RowInterval, model::Predictions&)>;

class Evaluator {
 public:
  explicit Evaluator(const model::Predictor& predictor, EvaluatorOptions options = {});
  Evaluator(std::size_t num_classes, PredictRows predict, EvaluatorOptions options = {});
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  void add(const data::Rows& rows);
  Evaluation finish();  // once, after the last add

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lazylogit::eval
