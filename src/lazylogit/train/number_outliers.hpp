// Rows of a linear regression when they are left out, in closed form.
//
// With h = w xᵀ H⁻¹ x the leverage of a row (H the Hessian of the error) and e = y − f its residual, the model without the
// row predicts y − e/(1 − h) for it: exactly, under uniform and Gaussian priors; under others as long as curvature and
// kinks stay as they are. t = e √w/(s √(1 − h)) is the residual in units of its own deviation, s² the estimated noise.
#pragma once

#include <vector>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/base/log.hpp"
#include "lazylogit/data/dataset.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::train {

struct NumberOutlier {
  std::size_t row = 0;
  double prediction = 0, left_out = 0, leverage = 0, t = 0;
};

// All rows of positive weight with a label, the largest |t| first. `model` is one of numbers. Throws ConfigError where its
// coefficients are too many for a whole Hessian.
std::vector<NumberOutlier> number_outliers(const model::Model& model, const data::Rows& rows, Log& log,
                                           const CancelToken& cancel);

}  // namespace lazylogit::train
