// The metric and the step of SAGA.
//
//   D_j = 1/(mean of w x_ij² over the rows that have feature j);   the intercept has D = 1
//   L_i = c w_i Σ_j D_j x_ij²   bounds the curvature of a row's loss in that metric; c = 1/4 for one vector, 1/2 for several
//   γ   = 1/(3 L)
//
// max L_i is safe but pessimistic: losses of rows that are classified well are nearly flat. L is therefore searched from
// below: doubled, up to that bound, whenever a row shows it too small (a step of 1/L along the row's own gradient must
// lower its loss by half of what a straight line would), and let fall by half over every epoch.
#pragma once

#include <cstdint>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/residual.hpp"

namespace lazylogit::optim {

// One entry per feature, and one for the intercept.
math::Vector saga_metric(const objective::Problem& problem, std::span<const std::uint64_t> rows);

class SagaStep {
 public:
  SagaStep(const objective::Problem& problem, std::span<const double> metric,
           std::span<const std::uint64_t> rows);

  double rate() const noexcept { return 1 / (3 * curvature_); }
  // A row of squared length Σ D x² whose scores s have the loss `loss` and the residuals r (weight included).
  void observe(std::size_t row, const double* s, const double* r, double loss);
  double squared_length(std::size_t row) const noexcept { return lengths_[row]; }
  // The error rose over an epoch: steps had been too long after all.
  void retreat() noexcept;

 private:
  objective::Problem problem_;
  Residual probe_;
  math::Vector lengths_, scores_;
  double curvature_ = 1, largest_ = 1, least_ = 0, fade_ = 1;
};

}  // namespace lazylogit::optim
