// The records of online gradient descent: coefficients with sums of squared gradients, units and clocks, and what the prior
// does to them between two touches (gradient_steps.hpp has the formulas).
//
//   record of a feature = [ b of each vector | G of each vector, 1/s (adaptive) | clock ]
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "lazylogit/optim/online/lazy_flow.hpp"
#include "lazylogit/optim/online/record_learner.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"
#include "lazylogit/optim/online/widening.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"

namespace lazylogit::optim {

template <class Learner, prior::Prior P, bool adaptive>
class GradientRecords : public RecordLearner<Learner> {
  using Base = RecordLearner<Learner>;
  friend Base;

 public:
  void coefficients(std::size_t feature, double* out) const override {
    const double* r = record(feature);
    const bool is_intercept = feature == features_.size();
    for (std::size_t c = 0; c < form_.vectors; ++c) {
      out[c] = r[c];
      if (r[c] != 0 && (!is_intercept || settings_.prior_on_intercept) && !std::is_same_v<P, prior::Uniform>)
        out[c] = flowed(r[c], speed(r, c) * time_.elapsed(r[width() - 1]));
    }
  }

  void begin_at(std::size_t feature, const double* b) override {
    std::copy_n(b, form_.vectors, record(feature));
  }

  Scalars scalars() const override {
    Scalars all{
        {"examples", examples_}, {"norm", norm_}, {"time", time_.now()}, {"time_rest", time_.compensation()}};
    if (settings_.response == data::Response::number) {
      all.emplace_back("target_mean", target_mean_);
      all.emplace_back("target_squares", target_squares_);
    }
    return all;
  }
  void restore(const Scalars& scalars) override {
    examples_ = scalar(scalars, "examples");
    norm_ = scalar(scalars, "norm");
    time_.resume(scalar(scalars, "time"), scalar(scalars, "time_rest"));
    if (settings_.response != data::Response::number) return;
    target_mean_ = scalar(scalars, "target_mean");
    target_squares_ = scalar(scalars, "target_squares");
  }

 protected:
  static constexpr std::size_t per_vector = adaptive ? 2 : 1;
  static constexpr std::size_t width_of(std::size_t vectors) noexcept {
    return vectors * per_vector + (adaptive ? 2 : 1);
  }
  std::size_t width() const noexcept { return width_of(form_.vectors); }

  // What is owed to the prior is owed by the coefficients as they are.
  void before_widening() noexcept {
    for (std::size_t f = 0; f < features_.size(); ++f) catch_up(features_.at(f));
    if (settings_.prior_on_intercept) catch_up(intercept_.at(0));
  }

  // How fast the prior acts on a coefficient, in units of the learning rate.
  double speed(const double* r, std::size_t c) const noexcept {
    if constexpr (!adaptive) return 1;
    return adaptive_speed(first_squares_ + r[form_.vectors + c], r[2 * form_.vectors]);
  }

  double flowed(double b, double time) const noexcept { return flow_for(prior_, b, time); }

  void catch_up(double* r) noexcept {
    if constexpr (std::is_same_v<P, prior::Uniform>) return;
    double& clock = r[width() - 1];
    const double elapsed = time_.elapsed(clock);
    if (elapsed == 0) return;
    clock = time_.now();
    for (std::size_t c = 0; c < form_.vectors; ++c)
      if (r[c] != 0) r[c] = flowed(r[c], speed(r, c) * elapsed);
  }

  // x in units of the widest value so far; coefficients and sums of gradients follow when it grows.
  double scaled(double* r, double x) const noexcept {
    double& inverse = r[2 * form_.vectors];
    const double u = x * inverse;
    if (std::abs(u) <= 1 && inverse != 0) [[likely]]
      return u;
    const double now = std::min(1 / std::abs(x), 1e300);
    if (inverse != 0) {
      const double shrink = now / inverse;
      for (std::size_t c = 0; c < form_.vectors; ++c) {
        r[c] *= shrink;
        r[form_.vectors + c] *= shrink * shrink;
      }
    }
    inverse = now;
    return x * now;
  }

  void catch_up_pair(double* r) noexcept {
    const double elapsed = time_.elapsed(r[3]);
    r[3] = time_.now();
    if (r[0] != 0) r[0] = flowed(r[0], speed(r, 0) * elapsed);
  }

  // Before anything is learned from the row: what came before it stays as it is.
  static void require_finite(double loss) {
    require_finite_loss(
        loss, adaptive ? "are the numbers of the data as they should be?" : "try a smaller --learning-rate");
  }

  void finish_row(double rate) noexcept {
    if (std::isfinite(rate)) time_.advance(rate / examples_, 1);
  }

  RecordStore widened(const RecordStore& from, const VectorForm& form) const {
    const Widening widening(form_, form);
    const std::size_t before = form_.vectors, now = form.vectors;
    return widened_records(from, width_of(now), [&](const double* old, double* r) {
      widening.coefficients(old, r);
      if constexpr (adaptive) {
        widening.others(old + before, r + now);
        r[2 * now] = old[2 * before];
      }
      r[width_of(now) - 1] = old[width_of(before) - 1];
    });
  }

  GradientRecords(const P& prior, const OnlineSettings& settings)
      : Base(settings, vector_form(0, settings), width_of(vector_form(0, settings).vectors)),
        prior_(prior),
        rate_(settings.rate.value_or(defaults_of(settings).rate)),
        first_squares_(defaults_of(settings).first_squares) {}
  static AdaptiveDefaults defaults_of(const OnlineSettings& settings) noexcept {
    return adaptive_defaults(settings.response == data::Response::number);
  }

  using Base::examples_, Base::features_, Base::form_, Base::intercept_, Base::record, Base::settings_;
  P prior_;
  double rate_, first_squares_, norm_ = 0;
  FlowStep time_;
  double target_mean_ = 0, target_squares_ = 0;  // numbers: their mean and Σ (y − mean)²
};

}  // namespace lazylogit::optim
