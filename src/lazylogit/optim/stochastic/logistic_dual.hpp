// The dual of two classes (dual_ascent.hpp): every row keeps a probability q_j of the class that has the vector.
//
// A visit finds the q that maximises the dual in its place: with s = the score of the row and a = w_j σ² |x_j|²,
//   q = sigmoid(t),     t − s + a (sigmoid(t) − q_j) = 0,     t between s + a (q_j − 1) and s + a q_j,
// by Newton steps that stay between these. Coefficients are in single precision, sums in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/dual_rows.hpp"
#include "lazylogit/optim/stochastic/held_intercepts.hpp"
#include "lazylogit/optim/stochastic/kernels/row_kernels.hpp"

namespace lazylogit::optim {

class LogisticDual {
 public:
  LogisticDual(const objective::Problem& problem, double variance, std::span<const double> start);

  // Asks for the coefficients of a row that is visited next, where they are more than a core's own cache holds.
  void prefetch(const RowEntries& row) const noexcept {
    constexpr std::size_t out_of_cache = std::size_t{1} << 20;
    if (table_.size() * sizeof(float) < out_of_cache) return;
    for (std::size_t k = 0; k < row.size; ++k) prefetch_to_change(table_.data() + row.ids[k]);
  }
  template <class Value>
  void visit(const data::RowView<Value>& row, std::size_t j, DualSums& sums) {
    const Value* values = nullptr;
    if constexpr (!std::is_same_v<Value, data::One>) values = row.values;
    const double score = math::sparse_dot(row.ids.data(), values, row.size(), table_.data()) + intercepts_[0];
    const auto step = static_cast<float>(variance_ * change(j, score, sums));
    for (std::size_t k = 0; k < row.size(); ++k)
      table_[row.ids[k]] += step * static_cast<float>(math::entry_value(values, k));
  }
  void end_epoch() noexcept { intercepts_.move_center(); }
  // ½ |b|²/σ² of the features, kept along from step to step.
  double penalty() const noexcept { return penalty_; }
  // The coefficients of features and the intercept; others stay as they are.
  void write(std::span<double> coefficients) const;

 private:
  // Gives the row its new q; what w_j (y_j − q_j) has grown by.
  double change(std::size_t j, double score, DualSums& sums) noexcept;
  bool is_positive(std::size_t j) const noexcept { return problem_.labels[j] != *problem_.shape.reference; }

  const objective::Problem& problem_;
  double variance_;
  math::AlignedVector<float> table_;    // of the features
  std::vector<double> q_, negentropy_;  // of each row; q ln q + (1 − q) ln(1 − q)
  HeldIntercepts intercepts_;
  std::vector<double> pulls_;
  double penalty_ = 0;
};

}  // namespace lazylogit::optim
