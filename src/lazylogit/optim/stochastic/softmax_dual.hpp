// The dual of several classes (dual_ascent.hpp): every row keeps a distribution over them.
//
// A visit finds the q that maximises the dual in the place of q_j: with s = the scores of the row and a = w_j σ² |x_j|²,
//   q = softmax(s + a (q_j − q)),       t = ln q + const minimises ½ |t − s − a q_j|² + a ln Σ e^t,
// by Newton steps that cost O(k) each. Coefficients and distributions are in single precision: they lie far apart in
// memory, and a start is all that is wanted.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/math/wide_scores.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/dual_rows.hpp"
#include "lazylogit/optim/stochastic/held_intercepts.hpp"
#include "lazylogit/optim/stochastic/kernels/row_kernels.hpp"

namespace lazylogit::optim {

// q as a function of the scores and of what it replaces.
class SoftmaxRowSolver {
 public:
  explicit SoftmaxRowSolver(std::size_t vectors) : r_(vectors), p_(vectors), t_(vectors), next_(vectors) {}

  // To be called first: p = softmax(s). Returns ln Σ e^s.
  double start(std::span<const double> s);
  // The q of the row, for which Σ q ln q is left in `negentropy`.
  std::span<const double> solve(std::span<const double> s, const float* q, double a, double& negentropy);

 private:
  void newton_step(std::span<const double> s, const float* q, double a);

  math::Vector r_, p_, t_, next_;
  double log_sum_ = 0;
};

class SoftmaxDual {
 public:
  SoftmaxDual(const objective::Problem& problem, double variance, std::span<const double> start);

  void prefetch(const RowEntries&) const noexcept {}  // math/wide_scores.hpp asks for several entries ahead
  template <class Value>
  void visit(const data::RowView<Value>& row, std::size_t j, DualSums& sums) {
    const auto values = row_values(row);
    math::wide_scores(row.ids.data(), values, row.size(), {table_.data(), stride_, stride_, nullptr},
                      wide_.data());
    change(j, sums);
    math::wide_add(row.ids.data(), values, row.size(), step_.data(), stride_, table_.data());
  }
  void end_epoch() noexcept { intercepts_.move_center(); }
  // ½ |b|²/σ² of the features, kept along from step to step.
  double penalty() const noexcept { return penalty_; }
  // The coefficients of features and intercepts; others stay as they are.
  void write(std::span<double> coefficients) const;

 private:
  // What math/wide_scores.hpp takes: nullptr where every value is 1.
  template <class Value>
  static auto row_values(const data::RowView<Value>& row) {
    if constexpr (std::is_same_v<Value, data::One>)
      return nullptr;
    else
      return row.values;
  }
  // From the scores of features in wide_ to the step of their coefficients.
  void change(std::size_t j, DualSums& sums);

  const objective::Problem& problem_;
  std::size_t vectors_, stride_;
  double variance_;
  math::AlignedVector<float> table_;  // of the features: the layout of model/shape.hpp
  math::AlignedVector<float> q_;
  std::vector<double> negentropy_;  // Σ q ln q of each row
  math::Vector scores_;
  math::AlignedVector<float> wide_, step_;
  HeldIntercepts intercepts_;
  std::vector<double> pulls_;
  SoftmaxRowSolver solver_;
  double penalty_ = 0;
};

}  // namespace lazylogit::optim
