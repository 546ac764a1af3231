// Whether epochs that changed the error no more had come to rest: an exact step from there says so, as steps of a rate that is
// far too low, or far too high, do not.
#pragma once

#include <span>

#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

// By how much of its size one step along the gradient, in units of one over the curvature of each coefficient, lowers the
// error at b. A few passes.
double gain_of_exact_step(const FitRequest& request, std::span<const double> b);

}  // namespace lazylogit::optim
