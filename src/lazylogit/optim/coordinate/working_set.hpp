// The coefficients that the next steps of coordinate descent are about.
//
// Those without a kink and those away from it; and of the ones that rest at their kink although the error
// falls beside it, the steepest in units of their kink's slope. Most coefficients of a sparse fit never
// enter, so steps cost as much as the support, not as the data. Equal steepness is decided by position: the
// set is unique.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/coordinate/quadratic_model.hpp"

namespace lazylogit::optim {

// Sorted by vector, then feature; `start`, l1 and the prior's derivatives are still to be set. At most about
// `newcomers` enter. Intercepts without a prior are left out where `intercepts` has them.
std::vector<Term> working_set(Descent& descent, std::span<const FreeIntercept> intercepts,
                              std::size_t newcomers);

}  // namespace lazylogit::optim
