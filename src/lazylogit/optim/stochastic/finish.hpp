// Exact steps after stochastic epochs: `--finish N`.
//
// The epochs bring the coefficients near the optimum, where Newton steps converge at once (L-BFGS
// steps under priors with a kink when a Hessian is too large to factor). At most N of them, fewer when the certified gap is reached.
// They begin at the coefficients that the epochs ended with: the best on held-out rows where those are watched. Where they
// end is kept, unless the request has patience, too: then the best of all of them.
#pragma once

#include <cstdint>

#include "lazylogit/optim/fit_clock.hpp"
#include "lazylogit/optim/fit_summary.hpp"
#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

// Continues `fit`, the end of a stochastic run of `request` that began with `clock`; nothing is done after a cancelled one.
// Passes, seconds and trace go on where they ended.
FitSummary finish_exactly(const FitRequest& request, const FitClock& clock, std::uint64_t steps,
                          FitSummary fit);

}  // namespace lazylogit::optim
