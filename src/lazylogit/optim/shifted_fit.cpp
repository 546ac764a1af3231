#include "lazylogit/optim/shifted_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/shifted_columns.hpp"
#include "lazylogit/optim/fit_clock.hpp"

namespace lazylogit::optim {
namespace {

// Of the shifts that change nothing the one with sum 0, as fits without moved columns have it.
void center_intercepts(const model::Shape& shape, math::Vector& b) {
  if (shape.reference || shape.response != data::Response::classes) return;
  double sum = 0;
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) sum += b[shape.intercept_index(v)];
  for (std::size_t v = 0; v < shape.num_vectors(); ++v)
    b[shape.intercept_index(v)] -= sum / static_cast<double>(shape.num_vectors());
}

// Whether what was proved holds of the coefficients as they are handed over, judged with columns moved.
bool holds(const FitRequest& request, FitSummary& fit) {
  fit.certificate = objective::certify(request.problem, fit.coefficients, request.names);
  return objective::shows_optimum(request.problem, fit.coefficients, *fit.certificate, request.gap);
}

// Nothing is left to find out, or no time to do it.
bool is_settled(const FitRequest& request, FitSummary& fit) {
  switch (fit.reason) {
    case Termination::converged:
      return holds(request, fit);
    case Termination::max_passes:
    case Termination::no_progress:
    case Termination::numeric_failure:
      return false;
    default:
      return true;
  }
}

void say_what_rounding_hides(FitSummary& fit) {
  fit.reason = Termination::no_progress;
  fit.message = "columns are so far from 0 for their spread that rounding of the intercept hides the optimum";
  if (fit.certificate->relative_gap)
    fit.message += fmt::format("; the certified relative gap is {:.2g}", *fit.certificate->relative_gap);
  fit.message += "; subtract a typical value from them";
}

FitSummary run_moved(FitSummary (*run)(const FitRequest& request), const FitRequest& request,
                     const objective::ShiftedColumns& shifted) {
  FitRequest moved = request;
  const math::Vector start = shifted.shifted(request.start);
  moved.problem = shifted.problem();
  moved.start = start;
  moved.own_start = nullptr;
  if (request.holdout_log_loss)
    moved.holdout_log_loss = [&](std::span<const double> b) {
      return request.holdout_log_loss(shifted.original(b));
    };
  FitSummary fit = run(moved);
  fit.coefficients = shifted.original(fit.coefficients);
  center_intercepts(request.problem.shape, fit.coefficients);
  // Of the moved columns; whoever wants it takes a pass.
  fit.gradient.clear();
  fit.certificate.reset();
  if (fit.reason == Termination::converged && !holds(request, fit)) say_what_rounding_hides(fit);
  if (!fit.separating_direction.empty()) {
    math::Vector& d = fit.separating_direction;
    d = shifted.original(d);
    double largest = 0;
    for (const double x : d) largest = std::max(largest, std::abs(x));
    for (double& x : d) x /= largest;
  }
  return fit;
}

}  // namespace

FitSummary run_shifted(FitSummary (*run)(const FitRequest& request), const FitRequest& request) {
  constexpr std::uint64_t few = 2000;  // passes: fits that moving does not help are over by then
  const auto shifted = objective::ShiftedColumns::of(request.problem);
  if (!shifted || request.max_steps) return run(request);
  const FitClock clock(request);
  FitRequest stage = request;
  const std::uint64_t before = request.before.passes,
                      most = request.max_passes.value_or(std::numeric_limits<std::uint64_t>::max());
  stage.max_passes = std::min(most, few);
  FitSummary first = run(stage);
  const std::uint64_t taken = first.passes - before;
  if (is_settled(request, first) || taken >= most || clock.interrupted()) return first;
  stage.before = clock.spent(first.passes);
  stage.max_passes = request.max_passes ? std::optional(most - taken) : std::nullopt;
  stage.start = first.coefficients;
  stage.own_start = nullptr;
  FitSummary fit = run_moved(run, stage, *shifted);
  fit.iterations += first.iterations;
  fit.trace.insert(fit.trace.begin(), first.trace.begin(), first.trace.end());
  return fit;
}

}  // namespace lazylogit::optim
