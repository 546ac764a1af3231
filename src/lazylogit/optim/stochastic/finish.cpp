#include "lazylogit/optim/stochastic/finish.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/batch/lbfgs.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {

FitSummary finish_exactly(const FitRequest& request, std::uint64_t steps, FitSummary fit) {
  if (fit.reason == Termination::cancelled || fit.reason == Termination::max_seconds) return fit;
  FitRequest exact = request;
  exact.start = fit.coefficients;
  exact.own_start = &fit.coefficients;
  exact.stochastic = nullptr;
  exact.max_steps = steps;
  if (request.max_seconds && !fit.trace.empty())
    exact.max_seconds = std::max(1e-3, *request.max_seconds - fit.trace.back().seconds);
  const objective::Posterior posterior(request.problem);
  const bool newton = posterior.slopes().empty() || factoring_pays(posterior);
  FitSummary end = newton ? run_newton(exact) : run_lbfgs(exact);
  const std::uint64_t done = end.iterations - (end.reason == Termination::max_passes ? 1 : 0);
  end.message = fmt::format("{} pass{}, then {} exact step{}: {}", fit.passes, fit.passes == 1 ? "" : "es",
                            done, done == 1 ? "" : "s",
                            end.reason == Termination::max_passes
                                ? "as many as --finish allows; allow more, or use an exact optimizer"
                                : end.message);
  const double seconds = fit.trace.empty() ? 0 : fit.trace.back().seconds;
  for (PassReport& report : end.trace) {
    report.pass += fit.passes;
    report.seconds += seconds;
  }
  end.trace.insert(end.trace.begin(), fit.trace.begin(), fit.trace.end());
  end.passes += fit.passes;
  end.iterations += fit.iterations;
  return end;
}

}  // namespace lazylogit::optim
