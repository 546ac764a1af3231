#include "lazylogit/optim/stochastic/saga/saga.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/random.hpp"
#include "lazylogit/objective/certificate.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/optim/fit_clock.hpp"
#include "lazylogit/optim/holdout_watch.hpp"
#include "lazylogit/optim/stochastic/choice_residuals.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"
#include "lazylogit/optim/stochastic/saga/saga_table.hpp"
#include "lazylogit/optim/stochastic/saga/step_size.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "lazylogit/optim/stochastic/stretch.hpp"

namespace lazylogit::optim {
namespace {

// Small problems may need many epochs, which cost little there.
std::uint64_t default_epochs(std::size_t num_rows) {
  return std::clamp<std::uint64_t>(2'000'000 / std::max<std::size_t>(1, num_rows), 1000, 20'000);
}

template <class View>
class Saga {
 public:
  Saga(const FitRequest& request, const StochasticSettings& settings, const View& view)
      : request_(request),
        settings_(settings),
        clock_(request),
        rows_(positive(request.problem)),
        metric_(saga_metric(request.problem, rows_)),
        step_(request.problem, metric_, rows_),
        table_(request.problem, view, metric_, request.start, settings.constraints),
        row_(request.problem),
        residual_(request.problem),
        scores_(residual_.room()),
        before_(scores_.size()),
        watch_(request.holdout_log_loss, request.patience) {
    result_.coefficients.assign(request.start.begin(), request.start.end());
    if (!settings.constraints.any() && objective::has_free_feature(request.problem))
      free_ = objective::free_coordinates(request.problem);
  }

  FitSummary operator()() {
    if (rows_.empty()) return end(Termination::max_passes, "no example was learned");
    const double at_start = objective::evaluate_error(request_.problem, request_.start).error();
    if (std::isfinite(at_start)) lowest_error_ = at_start;
    for (const std::uint64_t r : rows_) visit(r, 0);
    const std::uint64_t epochs = settings_.epochs.value_or(default_epochs(rows_.size()));
    Random random(settings_.seed);
    math::Vector coefficients(result_.coefficients);
    double previous = std::numeric_limits<double>::infinity();
    std::uint64_t certify_at = 1, still = 0;
    for (std::uint64_t epoch = 1; epoch <= epochs; ++epoch) {
      if (settings_.shuffle) random.shuffle(std::span(rows_));
      const bool complete = learn_epoch();
      table_.finish(coefficients);
      const double error = objective::evaluate_error(request_.problem, coefficients).error();
      if (!std::isfinite(error)) {
        return_to_lowest(HUGE_VAL);
        return end(Termination::numeric_failure,
                   fmt::format(
                       "the error left the range of finite numbers in epoch {}; the coefficients of the best "
                       "epoch before are kept: try a smaller --learning-rate",
                       epoch));
      }
      if (error > previous) step_.retreat();
      take(coefficients, error);
      // One more than epochs: the pass that filled the memory.
      PassReport report{.pass = request_.before.passes + epoch + 1,
                        .error = error,
                        .online_error = not_computed,
                        .relative_gap = not_computed,
                        .gradient_norm = not_computed,
                        .learning_rate = rate(),
                        .holdout_log_loss = not_computed,
                        .limits = {.passes = request_.before.passes + epochs + 1,
                                   .seconds = request_.max_seconds,
                                   .gap = request_.gap}};
      result_.passes = report.pass;
      const double change = std::abs(previous - error) / std::abs(error);
      still = change < 1e-15 ? still + 1 : 0;
      const bool too_long = settings_.learning_rate && since_lowest_ == 20 && is_above_lowest(error);
      const bool last = epoch == epochs || !complete || still == 20 || too_long;
      bool converged = false;
      if ((last || epoch >= certify_at) && !request_.cancel.cancelled()) {
        if (settings_.constraints.bounds != nullptr) {
          derivative_ = projected_derivative(coefficients);
          converged = derivative_ <= request_.gap * std::max(1.0, error);
        } else {
          const auto certificate = objective::certify(request_.problem, coefficients);
          gap_ = report.relative_gap = certificate.relative_gap.value_or(not_computed);
          derivative_ = certificate.gradient_norm;
          converged = objective::shows_optimum(request_.problem, coefficients, certificate, request_.gap);
          // Where the optimum may be at infinity a gradient that is gone proves nothing.
          if (!certificate.relative_gap && is_separated(coefficients, converged)) converged = false;
        }
        report.gradient_norm = derivative_;
        certify_at = epoch + 1 + epoch / 4;  // certifying takes passes of its own
      }
      report.holdout_log_loss = watch_.look(coefficients, report.pass);
      report.seconds = clock_.seconds();
      result_.trace.push_back(report);
      if (request_.observer != nullptr) request_.observer->on_pass(report);
      if (converged) return end(Termination::converged, proved(epoch));
      if (!result_.separating_direction.empty())
        return end(Termination::separation,
                   "the classes are separated: the error has no finite optimum without a prior");
      const bool interrupted = !complete || clock_.interrupted();
      if (last || interrupted) return_to_lowest(error);
      if (interrupted) return stop_early(epoch);
      if (watch_.is_plateau()) return end(Termination::plateau, watch_.plateau_text());
      if (too_long)
        return end(
            Termination::no_progress,
            fmt::format("steps of --learning-rate {:g} are too long: the error rises; the lowest, {:.6g}, is "
                        "kept: lower it, or leave it to auto",
                        *settings_.learning_rate, lowest_error_));
      if (still == 20)
        return end(Termination::no_progress, "the error no longer changes; " + proved(epoch) +
                                                 "; --standardize scale or --finish may be what is needed");
      previous = error;
    }
    return end(Termination::max_passes,
               fmt::format("stopped: {}; allow more with --epochs, or add --finish", proved(epochs)));
  }

 private:
  static std::vector<std::uint64_t> positive(const objective::Problem& problem) {
    std::vector<std::uint64_t> rows;
    for (std::size_t r = 0; r < problem.x->num_rows(); ++r)
      if (problem.weight(r) > 0 && begins_example(problem, r)) rows.push_back(r);
    return rows;
  }

  // The last coefficients are those of the result until the end; the lowest error is remembered beside them.
  void take(const math::Vector& coefficients, double error) {
    if (error <= lowest_error_) {
      lowest_error_ = error;
      lowest_.clear();
      since_lowest_ = 0;
    } else {
      if (lowest_.empty()) lowest_ = std::move(result_.coefficients);
      ++since_lowest_;
    }
    result_.coefficients = coefficients;
  }
  bool is_above_lowest(double error) const { return error > lowest_error_ + 1e-9 * std::abs(lowest_error_); }
  void return_to_lowest(double error) {
    if (lowest_.empty() || !is_above_lowest(error)) return;
    result_.coefficients = std::move(lowest_);
    if (request_.cancel.cancelled()) return;
    const auto certificate = objective::certify(request_.problem, result_.coefficients);
    gap_ = certificate.relative_gap.value_or(not_computed);
    derivative_ = settings_.constraints.bounds == nullptr ? certificate.gradient_norm
                                                          : projected_derivative(result_.coefficients);
  }

  // Thoroughly where a gradient that is gone would else count as proof.
  bool is_separated(const math::Vector& coefficients, bool thoroughly) {
    if (free_.empty()) return false;
    const objective::Problem& problem = request_.problem;
    auto found = thoroughly ? objective::find_separation(problem, coefficients,
                                                         [this] { return clock_.interrupted(); })
                            : objective::complete_separation(problem, free_, coefficients);
    if (!found) return false;
    result_.completely_separated = found->complete;
    result_.separating_direction = std::move(found->direction);
    return true;
  }

  double rate() const { return settings_.learning_rate ? *settings_.learning_rate : step_.rate(); }

  void visit(std::uint64_t r, double rate) {
    if (!request_.problem.choice_ends.empty()) return visit_choice(r, rate);
    row_.load(r);
    std::fill(scores_.begin(), scores_.end(), 0.0);
    table_.add_scores(row_, scores_.data());
    before_ = scores_;
    residual_(r, request_.problem.weight(r), scores_.data());
    const double loss = residual_.take_loss();
    if (rate > 0 && !settings_.learning_rate) step_.observe(r, before_.data(), scores_.data(), loss);
    table_.replace(r, row_, scores_.data(), rate);
  }

  // All candidates are scored before any is learned.
  void visit_choice(std::uint64_t first, double rate) {
    candidates_.assign(example_end(request_.problem, first) - first, 0.0);
    for (std::size_t a = 0; a < candidates_.size(); ++a) {
      row_.load(first + a);
      table_.add_scores(row_, &candidates_[a]);
    }
    candidate_scores_ = candidates_;
    const double loss = choice_residuals(request_.problem, first, candidates_);
    if (rate > 0 && !settings_.learning_rate)
      step_.observe_choice(first, candidate_scores_, candidates_, loss);
    for (std::size_t a = 0; a < candidates_.size(); ++a) {
      row_.load(first + a);
      table_.replace(first + a, row_, &candidates_[a], rate);
    }
  }

  bool learn_epoch() {
    const double n = static_cast<double>(rows_.size());
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const double step = rate();
      visit(rows_[k], step);
      table_.advance(step / n);
      ++result_.iterations;
      if ((k + 1) % rows_per_stretch == 0 && clock_.interrupted()) return k + 1 == rows_.size();
    }
    return true;
  }

  // The largest derivative of the error that a step within the bounds could follow; a certificate knows no bounds.
  double projected_derivative(const math::Vector& b) const {
    objective::Posterior posterior(request_.problem);
    math::Vector gradient(b.size());
    posterior.value_and_gradient(b, gradient);
    const auto slopes = posterior.slopes(), kinks = posterior.kinks();
    const auto fixed = posterior.fixed();
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      if (!fixed.empty() && fixed[i]) continue;
      const double l = slopes.empty() ? 0.0 : slopes[i], at = b[i] - (kinks.empty() ? 0.0 : kinks[i]);
      const double up = gradient[i] + (at >= 0 ? l : -l), down = gradient[i] + (at > 0 ? l : -l);
      const Interval interval = settings_.constraints.at(i);
      if (up < 0 && b[i] < interval.upper) largest = std::max(largest, -up);
      if (down > 0 && b[i] > interval.lower) largest = std::max(largest, down);
    }
    return largest;
  }

  std::string proved(std::uint64_t epochs) const {
    if (settings_.constraints.bounds != nullptr)
      return fmt::format("the largest derivative within the bounds is {:.2g} after {}", derivative_,
                         counted(epochs, "epoch"));
    return std::isnan(gap_)
               ? fmt::format("the largest derivative is {:.2g} after {}", derivative_,
                             counted(epochs, "epoch"))
               : fmt::format("the certified relative gap is {:.2g} after {}", gap_, counted(epochs, "epoch"));
  }
  FitSummary end(Termination reason, std::string message) {
    result_.reason = reason;
    result_.message = std::move(message);
    if (watch_.has_better()) {
      // The last coefficients may be the optimum, those that are kept are not.
      if (reason == Termination::converged) result_.reason = Termination::plateau;
      if (reason != Termination::plateau) result_.message += "; " + watch_.best_text();
      result_.coefficients = watch_.take_best();
    }
    return std::move(result_);
  }
  FitSummary stop_early(std::uint64_t epoch) {
    if (request_.cancel.cancelled()) return end(Termination::cancelled, "cancelled; " + proved(epoch));
    return end(Termination::max_seconds,
               fmt::format("the time limit of {:g} s ended the fit; {}; allow more with "
                           "--max-seconds",
                           *request_.max_seconds, proved(epoch)));
  }

  const FitRequest& request_;
  const StochasticSettings& settings_;
  FitClock clock_;
  std::vector<std::uint64_t> rows_;
  math::Vector metric_;
  SagaStep step_;
  SagaTable<View> table_;
  RowBuffer row_;
  Residual residual_;
  math::Vector scores_, before_;
  std::vector<double> candidates_, candidate_scores_;  // of a choice
  FitSummary result_;
  HoldoutWatch watch_;
  double gap_ = not_computed, derivative_ = not_computed;
  std::vector<std::uint8_t>
      free_;             // coordinates without a prior; empty: no feature is free, so separation is harmless
  math::Vector lowest_;  // the coefficients of the lowest error; empty: the last ones
  double lowest_error_ = std::numeric_limits<double>::infinity();
  int since_lowest_ = 0;  // epochs
};

}  // namespace

FitSummary run_saga(const FitRequest& request) {
  const StochasticSettings settings =
      request.stochastic != nullptr ? *request.stochastic : StochasticSettings{};
  return request.problem.prior->visit(
      [&]<class View>(const View& view) { return Saga<View>(request, settings, view)(); });
}

}  // namespace lazylogit::optim
