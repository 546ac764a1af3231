// The rates of a row's coefficients under adaptive steps with one vector (gradient_steps.hpp), several entries at a time; every
// number has the bits of the plain formula.
#pragma once

#include <cstddef>

namespace lazylogit::optim {

// For k below n:  sums ← sums + added u²,  v = 1/√(first + sums),  moves = v u²,  steps = v u · inverses
using PairRates = void (*)(std::size_t n, double first, double added, const double* u, const double* inverses,
                           double* sums, double* moves, double* steps);
PairRates pair_rates();

}  // namespace lazylogit::optim
