// When a descent ends: proofs, separation, limits; and what is said of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/dual_gap.hpp"
#include "lazylogit/objective/newton_bound.hpp"
#include "lazylogit/objective/score_spread.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::uint64_t default_max_passes = 20'000;

// With a vector for every class, a feature without a prior for any of them (the intercept as a rule) is
// determined up to a common shift: the one with sum 0 is taken, so that equal problems have equal models.
// False: there is none.
bool center_free_rows(const objective::Problem& problem, math::Vector& b) {
  const model::Shape& shape = problem.shape;
  if (shape.reference || shape.response != data::Response::classes) return false;
  // One prior for all: the intercept alone may be free.
  const bool shared = problem.prior->shared() && !objective::has_free_feature(problem);
  if (shared && !shape.has_intercept) return false;
  bool any = false;
  const std::vector<std::uint8_t> free = objective::free_coordinates(problem);
  for (std::size_t i = shared ? shape.num_features : 0; i < shape.num_rows(); ++i) {
    double sum = 0;
    bool all_free = true;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
      sum += b[shape.index(i, v)];
      all_free = all_free && free[shape.index(i, v)] != 0;
    }
    if (!all_free) continue;
    any = true;
    for (std::size_t v = 0; v < shape.num_vectors(); ++v)
      b[shape.index(i, v)] -= sum / static_cast<double>(shape.num_vectors());
  }
  return any;
}

}  // namespace

// A vanishing gradient proves nothing where the optimum may be at infinity, or where the scores are so large
// that no bound is finite; it is not accepted where more could have been proved.
bool Descent::proves(const model::Certificate& certificate) {
  const bool more_expected =
      objective_.convex() && (!may_be_separated() || objective_.size() <= objective::newton_bound_limit);
  if (!objective::satisfies(certificate, request_.gap)) return false;
  if (certificate.relative_gap) return true;
  if (more_expected) return false;
  const std::uint64_t before = objective_.passes();
  const double gain = objective::coordinate_gain(objective_, point_.b, point_.pseudo());
  proof_passes_ += objective_.passes() - before;
  return is_small(gain);
}

bool Descent::is_small(double gain) const {
  return gain <= request_.gap * std::max(1.0, std::abs(point_.error));
}

// Of the point, from the derivatives at hand.
model::Certificate Descent::certificate() {
  const std::uint64_t before = objective_.passes();
  const auto certified = [&](const objective::LikelihoodAt& known) {
    model::Certificate found = objective::certify(objective_, point_.b, request_.names, known);
    proof_passes_ += objective_.passes() - before;
    return found;
  };
  // Another vector is what costs most where coefficients are many.
  if (objective::takes_priors_off(request_.problem))
    return certified({.loss = objective_.without_prior(point_.b, point_.value),
                      .gradient = point_.gradient,
                      .with_prior = true});
  math::Vector gradient(point_.gradient);
  const double loss = objective_.without_prior(point_.b, point_.value, gradient);
  return certified({.loss = loss, .gradient = gradient});
}

bool Descent::worth_certifying() {
  const std::uint64_t iterations = summary_.iterations;
  estimated_gap_ = objective::estimate_gap(objective_, *request_.problem.prior, point_.b, point_.gradient,
                                           point_.pseudo(), point_.error);
  if (point_.error != 0) estimated_gap_ /= std::abs(point_.error);  // numbers may be fitted exactly
  if (iterations == certified_at_ && iterations > 0) return false;
  return estimated_gap_ <= 2 * request_.gap || iterations - certified_at_ >= 25;
}

// Looks for separation while the error may have no minimum: now and then whether the coefficients themselves
// separate all rows, and, once the error has settled while steps go on, whether the last step shows a
// direction of recession.
bool Descent::separated(bool at_end) {
  const std::uint64_t k = summary_.iterations;
  if (unpenalized_.empty() || (!at_end && (k < 3 || k % 3 != 0))) return false;
  auto found = objective::complete_separation(request_.problem, unpenalized_, point_.b);
  // Where no step was taken, as after other optimizers, there is no rate to judge by.
  const bool stepped = !previous_.b.empty();
  const bool settled = stepped ? previous_.error - point_.error <= 1e-3 * point_.error : at_end;
  // Beyond the size of a proof a search takes longer than many steps.
  const bool affordable = at_end || objective_.size() <= objective::newton_bound_limit;
  if (!found && (k >= 9 || at_end) && settled && affordable) {
    if (stepped) {
      math::Vector step(point_.b.size());
      for (std::size_t i = 0; i < step.size(); ++i) step[i] = point_.b[i] - previous_.b[i];
      found = objective::quasi_separation(request_.problem, unpenalized_, step, [this] { return stopped(); });
    }
    // A step need not keep the margins of rows that are settled long since; the coefficients do.
    if (!found)
      found =
          objective::quasi_separation(request_.problem, unpenalized_, point_.b, [this] { return stopped(); });
  }
  if (found)
    found = objective::as_complete_as_can_be(request_.problem, unpenalized_, std::move(*found),
                                             [this] { return stopped(); });
  else if (at_end)
    found = objective::decided_separation(request_.problem, unpenalized_, [this] { return stopped(); });
  if (!found) return false;
  summary_.separating_direction = std::move(found->direction);
  summary_.completely_separated = found->complete;
  return true;
}

// Without a prior the gradient also vanishes on the way to infinity. What tells is Newton's step: near a finite optimum it
// moves no score much; with p its probabilities, p less their change by a step that moves scores by less than 1 then
// meets the expectations of the data with every probability positive, which is only where classes are not separated.
// Where they are, every Newton step moves the scores of the rows that are by about 1 and shows the direction.
// For problems beyond newton_bound, which proves more.
bool Descent::finite_optimum_near() {
  constexpr double forcing = 1e-6, near = 0.5;
  constexpr std::uint64_t every = 5;
  constexpr int most_products = 1000;
  if (summary_.iterations + 1 < looked_for_finite_ + every && looked_for_finite_ > 0) return false;
  looked_for_finite_ = summary_.iterations + 1;
  math::Vector step;
  truncated_direction(*this, forcing, 0, step, nullptr, most_products);
  if (interrupted()) return false;  // this is not Newton's step
  newton_reach_ = objective::score_spread(request_.problem, step);
  if (newton_reach_ < near) return is_small(-0.5 * dot(point_.pseudo(), step));
  if (auto found =
          objective::quasi_separation(request_.problem, unpenalized_, step, [this] { return stopped(); })) {
    summary_.separating_direction = std::move(found->direction);
    summary_.completely_separated = found->complete;
  }
  return false;
}

// Where the gradient vanishes but the error still bends down, every step of an optimizer ends: under a Cauchy prior two
// vectors of opposite coefficients do so, which start alike and stay alike. Goes to the lower side.
bool Descent::leave_saddle() {
  constexpr int most = 20;
  constexpr std::uint64_t passes_of_curvature = 2;
  if (saddles_left_ == most || passes_left() <= passes_of_curvature) return false;
  const math::Vector down = objective::direction_of_negative_curvature(objective_, point_.b);
  if (down.empty()) return false;
  ++saddles_left_;
  for (double length = 1; length > 1e-4; length *= 0.5)
    for (const double step : {length, -length}) {
      if (interrupted()) return false;
      project(down, step, trial_);
      evaluate(trial_);
      if (!(trial_.error < point_.error - 1e-12 * std::abs(point_.error))) continue;
      proof_.reset();
      std::swap(previous_, point_);
      std::swap(point_, trial_);
      return true;
    }
  return false;
}

// The same where rounding hides what is left of the gradient, before it is as small as the gap asks for.
bool Descent::leave_hidden_saddle() {
  constexpr double vanished = 1e-6;
  return !objective_.convex() && !interrupted() &&
         max_abs(point_.pseudo()) <= vanished * std::max(1.0, std::abs(point_.error)) && leave_saddle();
}

std::uint64_t Descent::passes_left() const {
  const std::uint64_t most = request_.max_passes.value_or(default_max_passes);
  return most > passes() ? most - passes() : 0;
}

PassReport Descent::report_of(const Point& point, double step) const {
  const std::uint64_t most = request_.max_passes ? request_.before.passes + *request_.max_passes : 0;
  return {.pass = all_passes(),
          .error = point.error,
          .online_error = not_computed,
          .relative_gap = not_computed,
          .gradient_norm = max_abs(point.pseudo()),
          .learning_rate = not_computed,
          .step = step,
          .holdout_log_loss = not_computed,
          .seconds = clock_.seconds(),
          .limits = {.passes = most, .seconds = request_.max_seconds, .gap = request_.gap}};
}

// The point in trial_ is given up.
void Descent::tell_trial(double step) const {
  if (request_.observer == nullptr) return;
  PassReport report = report_of(trial_, step);
  report.accepted = false;
  request_.observer->on_trial(report);
}

std::optional<Termination> Descent::check() {
  if (!std::isfinite(point_.error) || !std::isfinite(max_abs(point_.pseudo())))
    return Termination::numeric_failure;
  PassReport report = report_of(point_, summary_.iterations > 0 ? last_step_ : not_computed);
  std::optional<Termination> end;
  bool saddle = false;
  // Whoever cancels does not wait for proofs.
  const bool cancelled = request_.cancel.cancelled();
  if (!cancelled && worth_certifying()) {
    certified_at_ = summary_.iterations;
    const auto certificate = this->certificate();
    last_gap_ = report.relative_gap = certificate.relative_gap.value_or(not_computed);
    if (proves(certificate) &&
        (certificate.relative_gap || !objective_.convex() || !may_be_separated() || finite_optimum_near())) {
      end = Termination::converged;
      proof_ = certificate;
    } else if (!summary_.separating_direction.empty()) {
      end = Termination::separation;
    }
    saddle = certificate.min_curvature && *certificate.min_curvature < 0 &&
             certificate.gradient_norm <= request_.gap * std::max(1.0, std::abs(certificate.error));
  }
  report.holdout_log_loss = watch_.look(point_.b, report.pass);
  report.seconds = clock_.seconds();
  summary_.trace.push_back(report);
  if (request_.observer != nullptr) request_.observer->on_pass(report);
  if (end) return end;
  ++summary_.iterations;
  if (request_.cancel.cancelled()) return Termination::cancelled;
  if (separated(false)) return Termination::separation;
  if (watch_.is_plateau()) return Termination::plateau;
  if (saddle) leave_saddle();
  if (request_.max_seconds && report.seconds >= *request_.max_seconds) return Termination::max_seconds;
  if (request_.max_steps && summary_.iterations > *request_.max_steps) return Termination::max_passes;
  if (passes_left() == 0) return Termination::max_passes;
  return std::nullopt;
}

std::string Descent::message(Termination reason) const {
  const std::string gap = std::isnan(last_gap_)
                              ? "no gap is certified"
                              : fmt::format("the certified relative gap is {:.2g}", last_gap_);
  switch (reason) {
    case Termination::converged:
      if (!std::isnan(last_gap_)) return fmt::format("the certified relative gap is {:.2g}", last_gap_);
      return fmt::format("a stationary point: the largest derivative is {:.2g}", max_abs(point_.pseudo())) +
             (looked_for_finite_ > 0
                  ? fmt::format(", and Newton's step moves no score by more than {:.2g}", newton_reach_)
                  : "");
    case Termination::max_passes:
      return fmt::format("stopped after {} over the data; {}; allow more with --max-passes",
                         counted(passes(), "pass"), gap);
    case Termination::max_seconds:
      return fmt::format("the time allowed is used up; {}; continue with --warm-start", gap);
    case Termination::plateau:
      return watch_.plateau_text();
    case Termination::no_progress:
      return fmt::format("rounding prevents further descent; {}; {}", gap,
                         newton_reach_ >= 0.5
                             ? "without a prior the optimum may be at infinity: use --prior gaussian or "
                               "--prior cauchy"
                             : "a larger --gap or --standardize scale may be what is needed");
    case Termination::separation:
      return fmt::format(
          "the classes are {} separated: the error has no finite optimum under a uniform prior",
          summary_.completely_separated ? "completely" : "quasi-completely");
    case Termination::cancelled:
      return fmt::format("cancelled; {}", gap);
    default:
      return "the error is not finite; scale the features down or use --standardize scale";
  }
}

// Takes the coefficients whose held-out loss was lowest.
void Descent::keep_best() {
  point_.b = watch_.take_best();
  evaluate(point_);
  certified_at_ = 0;
  proof_.reset();
}

FitSummary Descent::finish(Termination reason, std::string why) {
  if (reason == Termination::no_progress && interrupted())
    reason = request_.cancel.cancelled() ? Termination::cancelled
             : stopped()                 ? Termination::max_seconds
                                         : Termination::max_passes;
  if (reason == Termination::plateau && watch_.has_better())
    keep_best();
  else if (reason != Termination::converged && reason != Termination::plateau)
    return_to_lowest();
  const Termination given = reason;
  if (center_free_rows(request_.problem, point_.b)) proof_.reset();
  // A gradient that is gone is no proof where the optimum may be at infinity.
  const bool unproved = reason == Termination::converged && proof_ && !proof_->relative_gap;
  if ((reason == Termination::no_progress || reason == Termination::max_passes || unproved) &&
      separated(true))
    reason = Termination::separation;
  // Early stopping keeps the best, however the fit ends.
  std::string kept;
  if (watch_.has_better()) {
    if (reason == Termination::converged)
      reason = Termination::plateau;  // the last coefficients are the optimum, those that are kept are not
    else
      kept = "; " + watch_.best_text();
    keep_best();
    center_free_rows(request_.problem, point_.b);
  }
  // Where no step lowers the error any more every proof is worth its passes.
  const bool stuck = reason == Termination::no_progress;
  if (reason != Termination::converged && reason != Termination::numeric_failure &&
      reason != Termination::separation && reason != Termination::cancelled &&
      (stuck || certified_at_ + 1 != summary_.iterations)) {
    const std::uint64_t before = objective_.passes();
    auto certificate = stuck ? objective::certify(objective_, point_.b, request_.names) : this->certificate();
    if (stuck) proof_passes_ += objective_.passes() - before;
    last_gap_ = certificate.relative_gap.value_or(not_computed);
    if (proves(certificate)) reason = Termination::converged;
    if (stuck || reason == Termination::converged) proof_ = std::move(certificate);
  }
  summary_.reason = reason;
  summary_.message = (reason == given && !why.empty() ? std::move(why) : message(reason)) + kept;
  summary_.passes = all_passes();
  summary_.loss = objective_.without_prior(point_.b, point_.value, point_.gradient);
  summary_.gradient = std::move(point_.gradient);
  if (reason == Termination::converged || stuck) summary_.certificate = std::move(proof_);
  summary_.coefficients = std::move(point_.b);
  return std::move(summary_);
}

}  // namespace lazylogit::optim
