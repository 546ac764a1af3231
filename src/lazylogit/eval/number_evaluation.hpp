// How well predicted numbers fit: sums over rows that come block by block, and the list of metrics made of them.
//
// Every row with a label counts with its weight w; e = y − f.
//   mse = Σ w e²/Σ w,   rmse = √mse,   mae = Σ w |e|/Σ w,   r2 = 1 − Σ w e²/Σ w (y − ȳ)²,   ȳ the mean of these labels,
//   baseline_rmse: that of always answering ȳ.
// r2 is nothing where all labels are the same.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/math/compensated_sum.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::eval {

struct NumberEvaluation {
  std::uint64_t rows = 0;          // of positive weight
  std::uint64_t unknown_rows = 0;  // of those, without a label
  double weight = 0;
  std::optional<double> rmse, mse, mae, r2, baseline_rmse, mean_error, largest_error;
};

struct NumberMetric {
  const char* name;
  const char* help;
  std::optional<double> (*get)(const NumberEvaluation&);
};
std::span<const NumberMetric> number_metrics();

class NumberEvaluator {
 public:
  // `predictions` are those of the rows.
  void add(const data::Rows& rows, const model::Predictions& predictions);
  NumberEvaluation finish() const;

 private:
  NumberEvaluation counts_;
  math::CompensatedSum weight_, squares_, absolutes_, errors_;
  double mean_ = 0, spread_ = 0, total_ = 0;  // of the labels, by Welford's updates
  double largest_ = 0;
};

std::string report_text(const NumberEvaluation& evaluation);
std::string report_json(const NumberEvaluation& evaluation);

}  // namespace lazylogit::eval
