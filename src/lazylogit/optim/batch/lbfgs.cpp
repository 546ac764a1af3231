#include "lazylogit/optim/batch/lbfgs.hpp"

#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/lbfgs_memory.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {

FitSummary run_lbfgs(const FitRequest& request) {
  Descent descent(request);
  std::optional<Termination> end = descent.check();
  if (end) return descent.finish(*end);
  LbfgsMemory memory_of_steps(request.batch.memory, inverse_diagonal(descent));
  math::Vector direction;
  int steps = 0;
  while (!end) {
    memory_of_steps.direction(descent.point().pseudo, direction);
    // Fixed coordinates have no gradient, so no pair moves them; those at a kink may have moved before.
    for (std::size_t i = 0; i < descent.objective().slopes().size(); ++i)
      if (!descent.free(i) || direction[i] * descent.point().pseudo[i] > 0) direction[i] = 0;
    if (!descent.search(direction, 1, SearchRule::weak_wolfe())) {
      if (memory_of_steps.empty()) return newton_steps(descent);
      memory_of_steps.clear();
      continue;
    }
    memory_of_steps.add(descent.previous(), descent.point());
    end = descent.check();
    // Without a prior on the features the optimum may be at infinity: Newton steps show that soonest.
    if (!end && descent.may_be_separated() && ++steps > 30 && factoring_pays(descent.objective()))
      return newton_steps(descent);
  }
  return descent.finish(*end);
}

}  // namespace lazylogit::optim
