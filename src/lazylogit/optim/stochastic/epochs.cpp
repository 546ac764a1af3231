#include "lazylogit/optim/stochastic/epochs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/objective/posterior.hpp"
#include "lazylogit/optim/fit_clock.hpp"
#include "lazylogit/optim/holdout_watch.hpp"
#include "lazylogit/optim/stochastic/choice_residuals.hpp"
#include "lazylogit/optim/stochastic/exact_step.hpp"
#include "lazylogit/optim/stochastic/learning_rate.hpp"
#include "lazylogit/optim/stochastic/plain_model.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"
#include "lazylogit/optim/stochastic/sharded_learner.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::uint64_t default_epochs = 20;
// Of a rate that was found by trying.
constexpr int most_retreats = 12;
constexpr double first_cut = 16, later_cut = 4;
constexpr double most_above = 1.5, most_rise = 4;  // steps are noisy

// Choices by their first rows.
std::vector<std::uint64_t> rows_of_positive_weight(const objective::Problem& problem) {
  std::vector<std::uint64_t> rows;
  rows.reserve(problem.x->num_rows());
  for (std::size_t r = 0; r < problem.x->num_rows(); r = example_end(problem, r))
    if (problem.weight(r) > 0) rows.push_back(r);
  return rows;
}

void check(const StochasticSettings& s) {
  const auto positive = [](const std::optional<double>& value) {
    return !value || (*value > 0 && std::isfinite(*value));
  };
  if (!positive(s.learning_rate)) throw ConfigError("must be a positive number or auto", "learning-rate");
  if (!positive(s.anneal)) throw ConfigError("must be a positive number", "anneal");
  if (s.batch_size == 0) throw ConfigError("must be at least 1", "batch-size");
  if (s.shards == 0) throw ConfigError("must be at least 1", "shards");
  if (s.shards > 1 && s.constraints.any())
    throw ConfigError("merged coefficients need not be within --bounds and --max-norm", "shards");
  if (s.shards > 1 && s.average)
    throw ConfigError("shards are merged into one model, not averaged over time", "shards",
                      "leave --average out");
  const bool plain = std::holds_alternative<PlainRule>(s.rule);
  if (s.prior_step != PriorStep::flow && s.constraints.any())
    throw ConfigError("bounds and --max-norm take the exact flow", "prior-step");
  if (s.constraints.bounds != nullptr && s.constraints.max_norm)
    throw ConfigError("it cannot be combined with --bounds", "max-norm");
  if (plain && !s.constraints.any() && s.average && s.prior_every > 1)
    throw ConfigError("cannot be combined with --prior-every", "average",
                      "lazy updates, the default, have exact averages");
}

double relative_difference(double a, double b) {
  return a == b ? 0 : std::abs(a - b) / (std::abs(a) + std::abs(b));
}

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

class Run {
 public:
  explicit Run(const FitRequest& request, const StochasticSettings& settings)
      : request_(request),
        settings_(settings),
        num_epochs_(settings.epochs.value_or(default_epochs)),
        clock_(request),
        rows_(rows_of_positive_weight(request.problem)),
        num_examples_(rows_.size()),
        watch_(request.holdout_log_loss, request.patience) {
    result_.coefficients.assign(request.start.begin(), request.start.end());
  }

  FitSummary operator()() {
    if (rows_.empty() || num_epochs_ == 0) {
      result_.message = "no example was learned";
      return std::move(result_);
    }
    const auto n = static_cast<double>(num_examples_);
    const bool automatic = !settings_.learning_rate;
    Schedule schedule = settings_.make_schedule(
        automatic ? choose_learning_rate(request_.problem, settings_, rows_, request_.start)
                  : *settings_.learning_rate,
        n);
    ShardedLearner learner(request_.problem, settings_, std::move(rows_), request_.start);
    math::Vector coefficients(result_.coefficients);
    double previous = std::numeric_limits<double>::infinity();
    // A pass that a fixed rate without feedback has no use for.
    if (automatic || request_.max_seconds || schedule.kind == ScheduleKind::adaptive) look_at_start();
    before_ = std::isfinite(start_error_) ? start_error_ : HUGE_VAL;
    int retreats = automatic ? 0 : most_retreats;

    for (std::uint64_t epoch = 0; epoch < num_epochs_; ++epoch) {
      PassReport report{.pass = request_.before.passes + epoch + 1,
                        .relative_gap = not_computed,
                        .gradient_norm = not_computed};
      report.learning_rate = schedule.at(epoch, epoch * num_examples_);
      report.limits = {
          .passes = request_.before.passes + num_epochs_, .seconds = request_.max_seconds, .gap = {}};
      const ShardedLearner::Outcome outcome =
          learner.learn_epoch(schedule, epoch, [this] { return clock_.interrupted(); });
      learner.finish(coefficients);
      const objective::ErrorParts parts = objective::evaluate_error(request_.problem, coefficients);
      report.error = parts.error();
      report.online_error = outcome.loss + parts.penalty;
      // What was tried on a sample may be too long for all examples: back to what was better, with shorter steps.
      if (outcome.complete && retreats < most_retreats && is_too_high(report.error, epoch) &&
          !clock_.interrupted()) {
        ++retreats;
        schedule.rate /= epoch == 0 ? first_cut : later_cut;
        learner.restart(epoch > 0 && before_ < first_error_ ? result_.coefficients : first_point());
        --epoch;
        continue;
      }
      if (!std::isfinite(report.error) || !std::isfinite(outcome.loss) || !all_finite(coefficients))
        return fail(schedule.rate);
      result_.coefficients = coefficients;
      result_.passes = report.pass;
      result_.iterations += outcome.examples;
      report.holdout_log_loss = watch_.look(coefficients, report.pass);
      remember_lowest(report.error, coefficients);
      report.seconds = clock_.seconds();
      result_.trace.push_back(report);
      if (request_.observer != nullptr) request_.observer->on_pass(report);

      if (!outcome.complete) return stop_early(epoch);
      if (watch_.is_plateau()) return finish(Termination::plateau, watch_.plateau_text());
      schedule.adapt(report.error < before_);
      before_ = report.error;
      const double difference =
          std::isfinite(previous) ? relative_difference(previous, report.error) : HUGE_VAL;
      if (difference < settings_.tolerance) return converge(difference, epoch + 1);
      previous = report.error;
      if (const bool last = epoch + 1 == num_epochs_; last) return exhaust(difference);
      if (clock_.interrupted()) return stop_early(epoch + 1);
    }
    return std::move(result_);
  }

 private:
  // The errors of where the fit begins and of the plain model: what every epoch is compared with.
  void look_at_start() {
    start_error_ = objective::evaluate_error(request_.problem, request_.start).error();
    plain_error_ = plain_model(request_.problem, settings_.constraints).error;
    first_error_ = begins_plain() ? plain_error_ : std::isfinite(start_error_) ? start_error_ : HUGE_VAL;
    lowest_error_ = first_error_;
    if (request_.max_seconds) lowest_ = first_point();
  }
  bool begins_plain() const { return plain_error_ < start_error_ || std::isnan(start_error_); }
  math::Vector first_point() const {
    if (begins_plain()) return plain_model(request_.problem, settings_.constraints).coefficients;
    return {request_.start.begin(), request_.start.end()};
  }

  // An epoch of small data teaches little: the plain model has to be reached after some examples only.
  bool is_too_high(double error, std::uint64_t epoch) const {
    constexpr double enough = 2000;
    if (!std::isfinite(error)) return true;
    if (epoch == 0) return error > most_above * start_error_;
    const bool patient = static_cast<double>(epoch * num_examples_) < enough;
    return error > most_rise * before_ ||
           (!patient && (error > start_error_ || error > most_above * plain_error_));
  }

  // A time limit asks for the best coefficients so far, which need not be the last.
  void remember_lowest(double error, const math::Vector& coefficients) {
    if (!(error < lowest_error_)) return;
    lowest_error_ = error;
    if (request_.max_seconds) lowest_ = coefficients;
  }

  FitSummary finish(Termination reason, std::string message) {
    result_.reason = reason;
    result_.message = std::move(message);
    if (watch_.has_better()) {
      if (reason != Termination::plateau) result_.message += "; " + watch_.best_text();
      result_.coefficients = watch_.take_best();
    } else if (reason == Termination::max_seconds && !lowest_.empty()) {
      result_.coefficients = std::move(lowest_);
    }
    return std::move(result_);
  }
  FitSummary converge(double difference, std::uint64_t epochs) {
    if (const std::string why = why_nothing_was_learned(); !why.empty())
      return finish(Termination::no_progress, why);
    constexpr double much = 0.25;
    const double gain = settings_.constraints.any() ? 0 : gain_of_exact_step(request_, result_.coefficients);
    if (gain > much)
      return finish(
          Termination::no_progress,
          fmt::format(
              "the error {:.4g} stands still, but one exact step lowers it by {:.2g} of its size: the "
              "learning rate is too low, or far too high; {}",
              before_, gain, next_step()));
    return finish(
        Termination::tolerance,
        fmt::format("the error changed by {:.2g} of its size in epoch {}, less than the tolerance {:g}",
                    difference, epochs, settings_.tolerance));
  }
  FitSummary exhaust(double difference) {
    if (const std::string why = why_nothing_was_learned(); !why.empty())
      return finish(Termination::no_progress, why);
    return finish(
        Termination::max_passes,
        std::isfinite(difference)
            ? fmt::format("stopped after {} epochs, the last changed the error by {:.2g} of its size; allow "
                          "more with --epochs or use an exact optimizer",
                          num_epochs_, difference)
            : std::string("stopped after 1 epoch; allow more with --epochs or use an exact optimizer"));
  }
  std::string_view next_step() const {
    return settings_.learning_rate ? "change --learning-rate, or leave it to auto"
                                   : "use an exact optimizer, or add --finish or --standardize scale";
  }
  // Steps that are too long may look like standing still, and a rare class hides in an error that only seems low.
  std::string why_nothing_was_learned() {
    const double error = before_;
    if (std::isnan(plain_error_)) plain_error_ = plain_model(request_.problem, settings_.constraints).error;
    if (error <= plain_error_) return {};
    if (std::isnan(start_error_))
      start_error_ = objective::evaluate_error(request_.problem, request_.start).error();
    const std::string_view hint = next_step();
    if (error > start_error_ * (1 + 1e-9))
      return fmt::format("the error {:.4g} is above that of the start, {:.4g}: the steps were too long; {}",
                         error, start_error_, hint);
    if (error > most_above * plain_error_)
      return fmt::format(
          "the error {:.4g} is above {:.4g}, that of {} alone: the steps were too long, or too few; {}",
          error, plain_error_,
          request_.problem.shape.response == data::Response::number ? "the mean"
                                                                    : "the frequencies of classes",
          hint);
    return {};
  }
  FitSummary stop_early(std::uint64_t epochs) {
    if (request_.cancel.cancelled())
      return finish(Termination::cancelled, "cancelled after " + counted(epochs, "whole epoch"));
    return finish(Termination::max_seconds,
                  fmt::format("the time limit of {:g} s ended the fit after {}; allow more with "
                              "--max-seconds",
                              *request_.max_seconds, counted(epochs, "whole epoch")));
  }
  FitSummary fail(double rate) {
    return finish(
        Termination::numeric_failure,
        fmt::format("the coefficients left the range of finite numbers in epoch {} with the learning rate "
                    "{:g}; those of the last good epoch are kept: try a smaller --learning-rate",
                    result_.trace.size() + 1, rate));
  }

  const FitRequest& request_;
  const StochasticSettings& settings_;
  std::uint64_t num_epochs_;
  FitClock clock_;
  std::vector<std::uint64_t> rows_;  // until the learner has them
  std::uint64_t num_examples_;
  FitSummary result_;
  HoldoutWatch watch_;
  math::Vector lowest_;
  double lowest_error_ = std::numeric_limits<double>::infinity();
  double start_error_ = not_computed, plain_error_ = not_computed;
  double first_error_ = 0;  // the lower of these
  double before_ = 0;       // the error one epoch ago
};

}  // namespace

FitSummary run_epochs(const FitRequest& request, const StochasticSettings& settings) {
  check(settings);
  return Run(request, settings)();
}

}  // namespace lazylogit::optim
