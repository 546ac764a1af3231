// Nonlinear conjugate gradients, preconditioned by the diagonal D of the Hessian, taken anew every hundred
// steps:
//
//   d ← −D⁻¹g + β d,    β = max(0, g·D⁻¹(g − g_previous) / g_previous·D⁻¹g_previous)       (Polak–Ribière,
//   restarting)
//
// with a strong-Wolfe search tight enough that every d descends. Needs a smooth prior.
#pragma once

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

FitSummary run_cg(const FitRequest& request);

}  // namespace lazylogit::optim
