#include "lazylogit/optim/stochastic/finish.hpp"

#include <fmt/format.h>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/batch/lbfgs.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/shifted_fit.hpp"

namespace lazylogit::optim {

FitSummary finish_exactly(const FitRequest& request, const FitClock& clock, std::uint64_t steps,
                          FitSummary fit) {
  if (fit.reason == Termination::cancelled || fit.reason == Termination::max_seconds) return fit;
  FitRequest exact = request;
  exact.start = fit.coefficients;
  exact.own_start = &fit.coefficients;
  exact.stochastic = nullptr;
  exact.max_steps = steps;
  exact.before = clock.spent(fit.passes);
  const objective::Posterior posterior(request.problem);
  const bool newton = posterior.slopes().empty() || factoring_pays(posterior);
  FitSummary end = run_shifted(newton ? run_newton : run_lbfgs, exact);
  const std::uint64_t done = end.iterations - (end.reason == Termination::max_passes ? 1 : 0);
  end.message = fmt::format("{}, then {}: {}", counted(fit.passes, "pass"), counted(done, "exact step"),
                            end.reason == Termination::max_passes
                                ? "as many as --finish allows; allow more, or use an exact optimizer"
                                : end.message);
  end.trace.insert(end.trace.begin(), fit.trace.begin(), fit.trace.end());
  end.iterations += fit.iterations;
  return end;
}

}  // namespace lazylogit::optim
