// Levenberg–Marquardt: Newton steps damped by a multiple λ of the Hessian's diagonal,
//
//   (H + λ |diag H|) step = −g,
//
// λ falls after a step that lowers the error and rises after one that does not, which is then not taken.
// Large λ is a short scaled gradient step, so the method needs no line search and stands indefinite Hessians
// (Cauchy) well.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

FitSummary run_lm(const FitRequest& request);

}  // namespace lazylogit::optim
