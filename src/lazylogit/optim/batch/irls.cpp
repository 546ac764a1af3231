#include "lazylogit/optim/batch/irls.hpp"

#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {

FitSummary run_irls(const FitRequest& request) {
  constexpr double forcing = 1e-8;  // the least squares problem is solved, not approximated
  Descent descent(request);
  if (const auto end = descent.check()) return descent.finish(*end);
  const bool factored = factoring_pays(descent.objective());
  math::Vector step;
  for (;;) {
    if (factored)
      factored_direction(descent, 0, step);
    else
      truncated_direction(descent, forcing, 0, step);
    if (!descent.search(step, 1, SearchRule::armijo())) return descent.finish(Termination::no_progress);
    if (const auto end = descent.check()) return descent.finish(*end);
  }
}

}  // namespace lazylogit::optim
