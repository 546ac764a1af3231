#include "lazylogit/optim/shifted_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/shifted_columns.hpp"

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

// What was proved of moved columns holds but for the rounding of intercepts on the way back.
void certify_again(const FitRequest& request, FitSummary& fit) {
  fit.certificate = objective::certify(request.problem, fit.coefficients, request.names);
  if (objective::shows_optimum(request.problem, fit.coefficients, *fit.certificate, request.gap)) return;
  fit.reason = Termination::no_progress;
  fit.message = "columns are so far from 0 for their spread that rounding of the intercept hides the optimum";
  if (fit.certificate->relative_gap)
    fit.message += fmt::format("; the certified relative gap is {:.2g}", *fit.certificate->relative_gap);
  fit.message += "; subtract a typical value from them";
}

}  // namespace

FitSummary run_shifted(FitSummary (*run)(const FitRequest& request), const FitRequest& request) {
  const auto shifted = objective::ShiftedColumns::of(request.problem);
  if (!shifted) return run(request);
  FitRequest moved = request;
  math::Vector start = shifted->shifted(
      request.own_start != nullptr ? std::span<const double>(*request.own_start) : request.start);
  moved.problem = shifted->problem();
  moved.start = start;
  moved.own_start = nullptr;
  if (request.holdout_log_loss)
    moved.holdout_log_loss = [&](std::span<const double> b) {
      return request.holdout_log_loss(shifted->original(b));
    };
  FitSummary fit = run(moved);
  fit.coefficients = shifted->original(fit.coefficients);
  center_intercepts(request.problem.shape, fit.coefficients);
  // Of the moved columns; whoever wants it takes a pass.
  fit.gradient.clear();
  fit.certificate.reset();
  if (fit.reason == Termination::converged) certify_again(request, fit);
  if (!fit.separating_direction.empty()) {
    math::Vector& d = fit.separating_direction;
    d = shifted->original(d);
    double largest = 0;
    for (const double x : d) largest = std::max(largest, std::abs(x));
    for (double& x : d) x /= largest;
  }
  return fit;
}

}  // namespace lazylogit::optim
