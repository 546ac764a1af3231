#include "lazylogit/optim/batch/irls.hpp"

#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/batch/refinement.hpp"

namespace lazylogit::optim {

FitSummary run_irls(const FitRequest& request) {
  constexpr double forcing = 1e-8;  // the least squares problem is solved, not approximated
  Descent descent(request);
  if (const auto end = descent.check()) return descent.finish(*end);
  const bool factored = factoring_pays(descent.objective());
  Refinement refinement(descent, factored);
  math::Vector step;
  for (;;) {
    if (factored)
      factored_direction(descent, 0, step);
    else
      truncated_direction(descent, forcing, 0, step);
    if (!descent.search(step, 1, SearchRule::armijo())) return descent.finish(refinement.without_progress());
    if (const auto end = descent.check())
      if (!refinement.goes_on(*end)) return descent.finish(*end);
  }
}

}  // namespace lazylogit::optim
