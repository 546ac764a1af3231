#include "lazylogit/objective/row_holds.hpp"

#include <algorithm>

namespace lazylogit::objective {

void RowHolds::add(std::size_t row, std::size_t num_rows, double kappa, std::span<const double> values) {
  if (slots_.empty()) slots_.assign(num_rows, 0);
  stride_ = values.size();
  if (slots_[row] == 0) {
    rows_.push_back(row);
    totals_.push_back(0);
    values_.resize(values_.size() + stride_, 0.0);
    slots_[row] = static_cast<std::uint32_t>(rows_.size());
  }
  const std::size_t at = slots_[row] - 1;
  totals_[at] += kappa;
  for (std::size_t c = 0; c < stride_; ++c) values_[at * stride_ + c] += values[c];
}

void RowHolds::keep(double share) {
  constexpr double nothing = 1e-6;
  std::size_t kept = 0;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (!(share * totals_[k] > nothing)) {
      slots_[rows_[k]] = 0;
      continue;
    }
    rows_[kept] = rows_[k];
    totals_[kept] = share * totals_[k];
    for (std::size_t c = 0; c < stride_; ++c) values_[kept * stride_ + c] = share * values_[k * stride_ + c];
    slots_[rows_[kept]] = static_cast<std::uint32_t>(kept + 1);
    ++kept;
  }
  rows_.resize(kept);
  totals_.resize(kept);
  values_.resize(kept * stride_);
}

}  // namespace lazylogit::objective
