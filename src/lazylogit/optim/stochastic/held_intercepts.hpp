// The intercepts of a dual ascent (dual_ascent.hpp). With a prior they are coefficients like any others. Free ones are held
// near a center by a Gaussian of small variance, and the center is moved to them after each epoch (the method of
// multipliers).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::optim {

class HeldIntercepts {
 public:
  // `variance`: of the prior; `start`: of all coefficients. Without intercepts there are zeros of variance 0.
  HeldIntercepts(const objective::Problem& problem, double variance, std::span<const double> start)
      : now_(problem.shape.num_vectors(), 0.0), center_(now_) {
    const model::Shape& shape = problem.shape;
    if (!shape.has_intercept) return;
    first_ = shape.intercept_index(0);
    free_ = problem.prior->num_penalized() <= first_;
    variance_ = variance;
    if (!free_) return;
    // A class of mean size pulls its intercept back by a tenth.
    constexpr double pull = 8;
    double weight = 0;
    for (std::size_t j = 0; j < problem.x->num_rows(); ++j) weight += problem.weight(j);
    variance_ = pull * static_cast<double>(shape.num_classes) / std::max(weight, 1.0);
    for (std::size_t c = 0; c < now_.size(); ++c) now_[c] = center_[c] = start[first_ + c];
  }

  double variance() const noexcept { return variance_; }
  double operator[](std::size_t c) const noexcept { return now_[c]; }
  // `residual`: what the weighted sum of y − q of the rows has grown by.
  void add(std::size_t c, double residual) noexcept { now_[c] += variance_ * residual; }
  // Between two epochs.
  void move_center() noexcept {
    if (!free_) return;
    for (std::size_t c = 0; c < now_.size(); ++c) {
      const double now = now_[c];
      now_[c] += now - center_[c];
      center_[c] = now;
    }
  }
  void write(std::span<double> coefficients) const noexcept {
    if (first_ > 0)
      std::copy(now_.begin(), now_.end(), coefficients.begin() + static_cast<std::ptrdiff_t>(first_));
  }

 private:
  std::vector<double> now_, center_;
  std::size_t first_ = 0;  // where they lie
  double variance_ = 0;
  bool free_ = false;
};

}  // namespace lazylogit::optim
