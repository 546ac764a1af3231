// Curvature that a quadratic model needs beyond that of the error: rows that are held back.
//
// A settled row hardly bends the error, so that a Newton step may carry its scores anywhere, and a few rows with large
// values then cut the step for all. A row whose loss after a step is above what the model foretold is held: the model
// gets the curvature, in the row's scores and times its weight,
//
//   κ (diag q − q qᵀ)       vectors that are coupled; q halfway between the row's probabilities before and after
//   κ diag q (1 − q)        vectors by themselves
//
// with κ such that it meets the loss. Only what the step did wrong is held: directions that leave the row's loss alone
// stay free. Holds of a row add up; in the first form q becomes the mean of all, weighted by κ, which is no less.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lazylogit::objective {

class RowHolds {
 public:
  bool empty() const noexcept { return totals_.empty(); }

  // κ q or κ q (1 − q) of the vectors, `stride` numbers; nullptr: the row is not held.
  const double* of(std::size_t row) const noexcept {
    return slots_.empty() || slots_[row] == 0 ? nullptr : values_.data() + (slots_[row] - 1) * stride_;
  }
  std::span<const std::size_t> rows() const noexcept { return rows_; }  // that are held
  // κ of a row that is held.
  double total(std::size_t row) const noexcept { return totals_[slots_[row] - 1]; }

  // Whoever adds knows the number of rows and the stride.
  void add(std::size_t row, std::size_t num_rows, double kappa, std::span<const double> values);
  // Leaves every hold this share of itself; what is nothing then is let go.
  void keep(double share);

 private:
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> slots_;  // by row: 1 + place below; 0: none
  std::vector<std::size_t> rows_;
  std::vector<double> totals_, values_;
};

}  // namespace lazylogit::objective
