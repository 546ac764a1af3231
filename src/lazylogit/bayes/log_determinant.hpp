// log det of a Hessian too large to form, by stochastic Lanczos quadrature.
//
// With d the diagonal and A = d^{−1/2} H d^{−1/2} (flat directions lifted as in curvature_frame.hpp),
//   log det H = Σ log d_i + tr log A,   tr log A ≈ mean over probes z of ±1 of  zᵀ log(A) z,
// each of the latter by Gauss quadrature from a few Lanczos steps (in single precision: what that loses is far below
// the spread), less zᵀ(A − I)z − tr(A − I), whose mean is 0. Scaled by its diagonal, A's eigenvalues gather around 1, so
// few steps are enough; the spread over the probes gives the standard error.
#pragma once

#include <cstdint>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/bayes/curvature_frame.hpp"

namespace lazylogit::bayes {

struct LogDeterminant {
  double value = 0;
  double standard_error = 0;
};

LogDeterminant estimate_log_determinant(objective::Posterior& objective, const CurvatureFrame& frame,
                                        std::uint64_t seed, const CancelToken& cancel);

}  // namespace lazylogit::bayes
