#include "lazylogit/optim/batch/lm.hpp"

#include <algorithm>

#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {

FitSummary run_lm(const FitRequest& request) {
  constexpr double first = 1e-2, least = 1e-12, most = 1e12, down = 0.1, up = 8, forcing = 1e-3;
  Descent descent(request);
  if (const auto end = descent.check()) return descent.finish(*end);
  const bool factored = factoring_pays(descent.objective());
  math::Vector step;
  for (double damping = first;;) {
    if (factored)
      factored_direction(descent, damping, step);
    else
      truncated_direction(descent, forcing, damping, step);
    if (!descent.search(step, 1, SearchRule::one_trial())) {
      damping *= up;
      if (damping <= most && !descent.interrupted()) continue;
      if (descent.interrupted() || !descent.search(step, 1, SearchRule::armijo()))
        return descent.finish(Termination::no_progress);
      damping = first;
    }
    damping = std::max(damping * down, least);
    if (const auto end = descent.check()) return descent.finish(*end);
  }
}

}  // namespace lazylogit::optim
