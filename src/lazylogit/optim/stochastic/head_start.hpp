// A start for an exact optimizer from a few epochs of stochastic gradient descent: cheap where many rows say much the
// same, and close enough to the optimum for Newton steps to be at their best.
//
//   η_t = η₀ / (1 + t/D),   η₀ = 4/mean |x|²,   D = n min(¼, 1/(p η₀))
//
// t counts examples. η₀ is one over the largest curvature of a row of mean length; D is Bottou's choice for a prior of
// curvature p (Gaussian: 1/σ²), but never so slow that the first epoch ends with long steps. What was learned is kept
// only if it lowers the error, which is looked at early on a sample of the rows. Threads and their number play no part.
#pragma once

#include <cstdint>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

struct HeadStart {
  math::Vector coefficients;
  std::uint64_t epochs = 0;  // 0: the request's own start, which nothing better was found than
};

// At most `epochs` epochs; fewer where the caller wants an end.
HeadStart find_head_start(const FitRequest& request, std::uint64_t epochs);

// The same by dual_ascent.hpp, for problems that it takes.
HeadStart find_dual_start(const FitRequest& request, std::uint64_t epochs);

enum class Ahead { descent, dual_ascent };

// Runs the optimizer from there. Passes and seconds of the head start count as its own.
FitSummary run_from_head_start(const OptimizerEntry& optimizer, const FitRequest& request,
                               std::uint64_t epochs, Ahead kind = Ahead::descent);

}  // namespace lazylogit::optim
