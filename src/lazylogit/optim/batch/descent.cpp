#include "lazylogit/optim/batch/descent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lazylogit/math/kink.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {
Descent::Descent(const FitRequest& request)
    : request_(request),
      clock_(request),
      objective_(request.problem),
      slopes_(objective_.slopes()),
      kinks_(objective_.kinks()),
      watch_(request.holdout_log_loss, request.patience),
      last_gap_(not_computed) {
  if (objective::has_free_feature(request.problem))
    unpenalized_ = objective::free_coordinates(request.problem);
  if (request.own_start != nullptr)
    point_.b = std::move(*request.own_start);
  else
    point_.b.assign(request.start.begin(), request.start.end());
  evaluate(point_);
}

void Descent::evaluate(Point& point) {
  point.gradient.resize(point.b.size());
  point.error = point.value = objective_.value_and_gradient(point.b, point.gradient);
  if (slopes_.empty()) return;
  point.error += objective::l1_part(objective_, point.b);
  point.subgradient.resize(point.b.size());
  for (std::size_t i = 0; i < point.b.size(); ++i) {
    const double g = point.gradient[i], l = slopes_[i], side = math::sign(point.b[i] - kink(i));
    point.subgradient[i] = side != 0 ? g + side * l : math::sign(g) * std::max(0.0, std::abs(g) - l);
  }
}

void Descent::project(const math::Vector& direction, double step, Point& trial) const {
  trial.b.resize(point_.b.size());
  for (std::size_t i = 0; i < point_.b.size(); ++i) trial.b[i] = point_.b[i] + step * direction[i];
  for (std::size_t i = 0; i < slopes_.size(); ++i) {
    if (slopes_[i] == 0) continue;
    const double here = point_.b[i] - kink(i);
    const double orthant = here != 0 ? math::sign(here) : -math::sign(point_.pseudo()[i]);
    if (math::sign(trial.b[i] - kink(i)) != orthant) trial.b[i] = kink(i);
  }
}

bool Descent::search(math::Vector& direction, double first_step, const SearchRule& rule) {
  for (std::size_t i = 0; i < slopes_.size(); ++i)
    if (slopes_[i] > 0 && at_kink(i) && direction[i] * point_.pseudo()[i] >= 0) direction[i] = 0;
  const double slope = dot(point_.pseudo(), direction);
  if (!(slope < 0)) return rule.shrinks && leave_hidden_saddle();
  const double noise = 1e-15 * std::abs(point_.error);
  double low = 0, high = std::numeric_limits<double>::infinity(), step = first_step;
  bool found = false;
  math::Vector move(slopes_.empty() ? 0 : point_.b.size());
  for (int trial = 0; trial < rule.most_trials && (trial == 0 || !interrupted()); ++trial) {
    project(direction, step, trial_);
    evaluate(trial_);
    // Without kinks the move is the step along the direction.
    for (std::size_t k = 0; k < move.size(); ++k) move[k] = trial_.b[k] - point_.b[k];
    const double predicted = slopes_.empty() ? step * slope : dot(point_.pseudo(), move);
    const double slope_there =
        slopes_.empty() ? step * dot(trial_.pseudo(), direction) : dot(trial_.pseudo(), move);
    const double change = trial_.error - point_.error;
    // Near the optimum the change drowns in rounding; then the slope decides (Hager and Zhang's approximate
    // condition).
    const bool lower = std::isfinite(trial_.error) && predicted < 0 && trial_.b != point_.b &&
                       (change <= rule.enough * predicted ||
                        (change <= noise && std::abs(slope_there) <= 0.9 * std::abs(predicted)));
    if (!lower) {
      tell_trial(step);
      if ((found && trial > 10) || !rule.shrinks) break;
      high = step;
      const double bend = change - predicted;
      const bool parabola = low == 0 && std::isfinite(change) && bend > 0;
      const double fraction = parabola ? std::clamp(-0.5 * predicted / bend, 0.1, 0.5) : 0.5;
      step = low + (high - low) * fraction;
      if (!(step > 1e-18 * first_step)) break;
      continue;
    }
    const bool steep = slope_there < rule.flatten * predicted;
    const bool beyond = rule.strong && slope_there > -rule.flatten * predicted;
    if (!found || trial_.error < best_.error) {
      std::swap(best_, trial_);
      if (found) tell_trial(last_step_);
      last_step_ = step;
    } else {
      tell_trial(step);
    }
    found = true;
    if (rule.flatten >= 1 || !slopes_.empty() || (!steep && !beyond) || trial > 10) break;
    (steep ? low : high) = step;
    step = std::isfinite(high) ? 0.5 * (low + high) : 4 * step;
  }
  if (!found) return rule.shrinks && rule.most_trials > 1 && leave_hidden_saddle();
  proof_.reset();
  std::swap(previous_, point_);
  std::swap(point_, best_);
  return true;
}

void Descent::move(const math::Vector& step) {
  project(step, 1, trial_);
  evaluate(trial_);
  keep_lowest();
  take_trial();
}

void Descent::keep_lowest() {
  if (trial_.error < point_.error || (!lowest_.empty() && !(point_.error < lowest_error_))) return;
  lowest_ = point_.b;
  lowest_error_ = point_.error;
}

void Descent::return_to_lowest() {
  if (lowest_.empty() || point_.error <= lowest_error_) return;
  point_.b = std::move(lowest_);
  evaluate(point_);
  certified_at_ = 0;
  proof_.reset();
}

void Descent::move_to(const math::Vector& b) {
  trial_.b = b;
  evaluate(trial_);
  take_trial();
}

void Descent::take_trial() {
  proof_.reset();
  std::swap(previous_, point_);
  std::swap(point_, trial_);
  last_step_ = 1;
}

}  // namespace lazylogit::optim
