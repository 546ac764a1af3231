// What all batch optimizers share: the current point, the line search, the stopping rules, the trace.
//
// With an L1 part the search stays in one orthant about the kinks: a coordinate that would pass its kink
// stops there, and one that sits on it leaves only downhill. The pseudo-gradient is the subgradient of least
// size; it is zero exactly where no coordinate can be moved downhill.
#pragma once

#include <optional>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/model/certificate.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/fit_clock.hpp"
#include "lazylogit/optim/holdout_watch.hpp"
#include "lazylogit/optim/optimizer.hpp"

namespace lazylogit::optim {

struct Point {
  math::Vector b;
  math::Vector gradient;     // of the smooth part
  math::Vector subgradient;  // of the whole, of least size; empty where there are no kinks
  double value = 0;          // of the smooth part
  double error = 0;
  const math::Vector& pseudo() const noexcept { return subgradient.empty() ? gradient : subgradient; }
};

// What a step along a direction must satisfy.
struct SearchRule {
  // Accept only where the slope along the direction has fallen to this fraction of the first one: a step too
  // short grows. 1: any step that lowers the error enough (Armijo).
  double flatten = 1;
  double enough = 1e-4;  // of what the slope promises, for a step to lower the error enough
  bool strong = false;   // also shrink a step beyond which the slope rises by more than that (strong Wolfe)
  int most_trials = 40;  // 1: the first step or none
  bool shrinks = true;   // false: the first step or longer ones

  static SearchRule armijo() { return {}; }
  static SearchRule weak_wolfe() { return {.flatten = 0.9}; }
  static SearchRule strong_wolfe(double flatten) { return {.flatten = flatten, .strong = true}; }
  static SearchRule one_trial() { return {.most_trials = 1}; }
  // The first step if it gains a fifth of what the minimum of a quadratic does; longer ones where it gains more than that.
  static SearchRule full_step() {
    return {.flatten = 0.3, .enough = 0.1, .most_trials = 4, .shrinks = false};
  }
};

class Descent {
 public:
  explicit Descent(const FitRequest& request);

  const FitRequest& request() const noexcept { return request_; }
  objective::Posterior& objective() noexcept { return objective_; }
  const Point& point() const noexcept { return point_; }
  const Point& previous() const noexcept { return previous_; }  // before the last accepted step

  // Moves along `direction` (made to point downhill where it leaves a kink). `first_step` is tried first.
  // False: no step lowers the error beyond rounding; the point is unchanged. True, too, where a step that leaves a saddle did.
  bool search(math::Vector& direction, double first_step, const SearchRule& rule);
  // Moves by `step` as it is, whether the error falls or not. The fit ends at the lowest error there was.
  void move(const math::Vector& step);
  // Goes to `b`, found by other means; one pass.
  void move_to(const math::Vector& b);
  // The factor of the direction that the last search took; 1 after a move, which takes all of it.
  double last_step() const noexcept { return last_step_; }
  // The point that the last search gave up, after one that does not shrink and found nothing.
  const Point& refused() const noexcept { return trial_; }

  // To be called at the start and after each accepted step: reports to the observer, computes the certificate
  // when it may hold, and says whether to end.
  std::optional<Termination> check();
  // After a check that said converged: the caller takes a step all the same.
  void go_beyond() noexcept { ++summary_.iterations; }

  // Whether a coordinate may move now: not fixed, and not held at its kink.
  bool free(std::size_t i) const noexcept {
    const auto fixed = objective_.fixed();
    return (fixed.empty() || !fixed[i]) &&
           (slopes_.empty() || slopes_[i] == 0 || !at_kink(i) || point_.pseudo()[i] != 0);
  }

  // No further pass is wanted: cancelled, or the time or the passes are used up. For loops of passes within one step.
  bool interrupted() const { return stopped() || passes_left() == 0; }
  std::uint64_t passes_left() const;
  std::uint64_t passes() const { return objective_.passes() - proof_passes_; }  // those of proofs apart
  // Only the former two: for work that takes no passes.
  bool stopped() const { return clock_.interrupted(); }

  // The relative gap as far as the derivatives at hand tell, of the last check; no proof.
  double estimated_gap() const noexcept { return estimated_gap_; }
  double asked_gap() const noexcept { return request_.gap; }
  bool refines() const noexcept { return request_.refine; }

  // Some feature has no prior.
  bool may_be_separated() const noexcept { return !unpenalized_.empty(); }

  // `why`, unless empty, is the message if the reason stands.
  FitSummary finish(Termination reason, std::string why = {});

 private:
  double kink(std::size_t i) const noexcept { return kinks_.empty() ? 0.0 : kinks_[i]; }
  bool at_kink(std::size_t i) const noexcept { return point_.b[i] == kink(i); }
  void evaluate(Point& point);
  PassReport report_of(const Point& point, double step) const;
  void tell_trial(double step) const;
  void project(const math::Vector& direction, double step, Point& trial) const;
  bool worth_certifying();
  model::Certificate certificate();
  bool proves(const model::Certificate& certificate);
  bool is_small(double gain) const;  // of the error, as the gap asked for allows
  bool separated(bool at_end);
  void keep_lowest();
  void return_to_lowest();
  bool finite_optimum_near();
  bool leave_saddle();
  bool leave_hidden_saddle();
  void take_trial();
  void keep_best();
  std::string message(Termination reason) const;
  std::uint64_t all_passes() const { return request_.before.passes + passes(); }  // of earlier stages, too

  const FitRequest& request_;
  FitClock clock_;
  objective::Posterior objective_;
  std::span<const double> slopes_, kinks_;
  std::vector<std::uint8_t> unpenalized_;  // empty: no feature is free, so separation is harmless
  Point point_, previous_, trial_, best_;
  math::Vector
      lowest_;  // the coefficients before a move that raised the error, if that was the lowest so far
  double lowest_error_ = 0;
  FitSummary summary_;
  HoldoutWatch watch_;
  double last_step_ = 0;
  double last_gap_;  // certified relative gap; NaN before the first certificate
  std::uint64_t certified_at_ = 0, proof_passes_ = 0;
  int saddles_left_ = 0;
  std::optional<model::Certificate> proof_;  // of the point, that it is where the fit may end
  double estimated_gap_ = 0;
  std::uint64_t looked_for_finite_ = 0;  // the iteration after the one that did so last
  double newton_reach_ = 0;              // by how much Newton's step moved scores then
};

}  // namespace lazylogit::optim
