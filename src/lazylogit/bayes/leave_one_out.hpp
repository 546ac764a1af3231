// What the model would say about a row had it not seen it, without fitting again.
//
// At the optimum, with Σ = H⁻¹ the posterior's covariance, A = X Σ Xᵀ the covariance of the row's scores, r = w(p − y)
// its residual and W = w(diag p − ppᵀ) its curvature, leaving the row out changes the coefficients, by one Newton step on
// the rest, by Δb = Σ Xᵀ z with (I − W A) z = r, and the row's own scores by A z. The influence of the row is
// Δbᵀ H Δb = zᵀ A z. Cost per row: that of its score covariance (model/score_covariance.hpp).
#pragma once

#include <memory>
#include <vector>

#include "lazylogit/model/model.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::bayes {

struct LeftOut {
  double log_probability = 0;  // of the row's own label, from the other rows; NaN for rows without a say
  double in_sample = 0;        // the same with the row
  double influence = 0;        // of the row on the coefficients
};

class LeaveOneOut {
 public:
  // `model` holds the optimum of the problem and its posterior around it; both must outlive this.
  LeaveOneOut(const objective::Problem& problem, const model::Model& model);
  ~LeaveOneOut();

  std::vector<LeftOut> rows() const;
  // Δb of one row: how each coefficient would move if it were left out.
  math::Vector step(std::size_t row) const;

 private:
  class RowSteps;
  objective::Problem problem_;
  const model::Model& model_;
  std::unique_ptr<RowSteps> steps_;
};

}  // namespace lazylogit::bayes
