// The metric and the step of SAGA.
//
//   D_j = 1/(mean of w x_ij² over the rows that have feature j);   the intercept has D = 1
//   L_i = c w_i Σ_j D_j x_ij²   bounds the curvature of a row's loss in that metric; c = 1/4 for one vector, 1/2 for several
//   γ   = 1/(3 L)
//
// max L_i is safe but pessimistic: losses of rows that are classified well are nearly flat. L is therefore searched from
// below: doubled, up to that bound, whenever a row shows it too small (a step of 1/L along the row's own gradient must
// lower its loss by half of what a straight line would), and let fall by half over every epoch.
//
// Of a choice only differences between its candidates matter. D_j is then taken from deviations from the mean of each
// choice, and the curvature of its loss is the variance of x under p, which is at most
//   L_i = w_i max_a Σ_j D_j (x_aj − x_1j)²   with the first candidate x_1.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/residual.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"

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
  // The same for the choice that begins at `first`: s and r hold a number per candidate.
  void observe_choice(std::size_t first, const std::vector<double>& s, const std::vector<double>& r,
                      double loss);
  double squared_length(std::size_t row) const noexcept { return lengths_[row]; }
  // The error rose over an epoch: steps had been too long after all.
  void retreat() noexcept;

 private:
  void measure_choice(std::size_t first);
  // Doubles the curvature until `loss_at(1/curvature)` is low enough.
  template <class LossAt>
  void search(double slope, double loss, const LossAt& loss_at);

  objective::Problem problem_;
  Residual probe_;
  RowBuffer row_;
  math::Vector metric_, lengths_, scores_;
  math::Vector sums_;  // choices: one number per feature, 0 between calls
  std::vector<double> moves_, trial_;
  double curvature_ = 1, largest_ = 1, least_ = 0, fade_ = 1;
};

}  // namespace lazylogit::optim
