// Coefficients as lazy training keeps them: the clock of a feature lies beside its coefficients, so a
// non-zero touches one place in memory.
//
//   record of a feature = [ b_0 … b_{v−1}, padding, clock ],   width 2 for one vector, 4 for two and three,
//   else a multiple of 8 doubles (whole cache lines)
//
// The intercept is the last record. Padding is 0. Clocks start at 0.
#pragma once

#include <cstddef>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/model/shape.hpp"

namespace lazylogit::optim {

constexpr std::size_t record_width(std::size_t vectors) noexcept {
  return vectors == 1 ? 2 : vectors < 4 ? 4 : (vectors + 8) / 8 * 8;
}

class RecordTable {
 public:
  RecordTable(const model::Shape& shape, std::span<const double> start);

  std::size_t width() const noexcept { return width_; }
  std::size_t vectors() const noexcept { return vectors_; }
  std::size_t num_records() const noexcept { return num_records_; }
  double* record(std::size_t feature) noexcept { return values_.data() + feature * width_; }
  const double* record(std::size_t feature) const noexcept { return values_.data() + feature * width_; }
  double* data() noexcept { return values_.data(); }
  std::span<const double> values() const noexcept { return values_; }
  double& clock(std::size_t feature) noexcept { return values_[feature * width_ + width_ - 1]; }

  void copy_to(std::span<double> coefficients) const;  // in the layout of model/shape.hpp

 private:
  std::size_t width_, vectors_, stride_, num_records_;
  math::Vector values_;
};

}  // namespace lazylogit::optim
