#include "lazylogit/optim/batch/cg.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {

namespace {

constexpr std::uint64_t restart_every = 100;

}  // namespace

FitSummary run_cg(const FitRequest& request) {
  Descent descent(request);
  if (const auto end = descent.check()) return descent.finish(*end);
  math::Vector inverse = inverse_diagonal(descent);
  const std::size_t size = inverse.size();
  math::Vector direction(size, 0.0), search(size);
  double beta = 0, first_step = 1;
  std::uint64_t steps = 0;
  for (;;) {
    const Point& here = descent.point();
    for (std::size_t i = 0; i < size; ++i) {
      direction[i] = -inverse[i] * here.pseudo()[i] + beta * direction[i];
      if (!descent.free(i)) direction[i] = 0;
    }
    const bool restarted = beta == 0;
    search = direction;
    if (!descent.search(search, first_step, SearchRule::strong_wolfe(0.1))) {
      if (restarted || descent.interrupted()) return descent.finish(Termination::no_progress);
      beta = 0;
      std::fill(direction.begin(), direction.end(), 0.0);
      continue;
    }
    first_step = std::clamp(descent.last_step(), 1e-6, 1e6);
    if (const auto end = descent.check()) return descent.finish(*end);
    const math::Vector &now = descent.point().pseudo(), &before = descent.previous().pseudo();
    double rise = 0, norm = 0;
    for (std::size_t i = 0; i < size; ++i) {
      rise += now[i] * inverse[i] * (now[i] - before[i]);
      norm += before[i] * inverse[i] * before[i];
    }
    beta = norm > 0 ? std::max(0.0, rise / norm) : 0.0;
    // Coefficients far from the start have another curvature; one measured there would slow them for good.
    if (++steps % restart_every == 0) {
      inverse = inverse_diagonal(descent);
      beta = 0;
      first_step = 1;
    }
  }
}

}  // namespace lazylogit::optim
