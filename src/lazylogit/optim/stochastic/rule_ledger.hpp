// Coefficients under an update rule (rules/rule.hpp), with lazy regularization: exact for every rule, because a rule's
// state, and with it the speed r of the prior, changes only when an example touches the coefficient.
//
//   record of a feature = [ (b, state) of each vector, the feature's state, clock ]
//
// A touch: the record is caught up, b ← b* + flow(b − b*, r (S − clock)) with S = Σ η_t/n and b* the prior's mean; the rule
// takes its step; from here on the prior acts at the new speed. The average is over the time of S: each iterate
// weighs what its learning rate weighs. Bounds and ball: constraints.hpp. With `prior_every` N all coefficients are caught
// up every N examples, which changes nothing but the cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/constraints.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/optim/stochastic/rules/rule.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"

namespace lazylogit::optim {

template <class View, UpdateRule Rule>
class RuleLedger {
 public:
  RuleLedger(const objective::Problem& problem, const View& view, const Rule& rule,
             std::span<const double> start, const StochasticSettings& settings)
      : shape_(problem.shape),
        view_(view),
        rule_(rule),
        vectors_(shape_.num_vectors()),
        width_(rounded(vectors_ * unit + Rule::per_feature + 1)),
        table_(shape_.num_rows() * width_, 0.0),
        sums_(settings.average ? shape_.size() : 0, 0.0),
        constraints_(settings.constraints),
        every_(settings.prior_every) {
    for (std::size_t f = 0; f < shape_.num_rows(); ++f)
      for (std::size_t c = 0; c < vectors_; ++c) {
        const std::size_t i = shape_.index(f, c);
        coefficient(f, c) = view_.pinned(i) ? start[i] : constraints_.at(i).clamp(start[i]);
      }
    if (constraints_.max_norm) project();
  }

  std::size_t vectors() const noexcept { return vectors_; }

  void add_scores(std::size_t feature, double x, double* s) {
    catch_up(feature);
    ++visited_;
    const double* b = record(feature);
    for (std::size_t c = 0; c < vectors_; ++c) s[c] += x * b[c * unit];
  }

  // The gradient of each vector; after add_scores of the same feature, before the next advance.
  void touch(std::size_t feature, const double* gradient, Pace pace) {
    double* r = record(feature);
    double* own = r + vectors_ * unit;
    rule_.begin(own, pace);
    for (std::size_t c = 0; c < vectors_; ++c) {
      const std::size_t i = shape_.index(feature, c);
      if (view_.pinned(i)) continue;
      double* b = r + c * unit;
      b[0] = constraints_.at(i).clamp(b[0] + rule_.step(b + 1, own, gradient[c], pace));
    }
  }

  void advance(double h, std::size_t examples) {
    time_.advance(h, 1);
    due_ += examples;
    if (every_ > 0 && due_ >= every_) catch_up_all();
    if (constraints_.max_norm && visited_ * vectors_ >= shape_.size()) project();
  }

  void finish(std::span<double> out) {
    catch_up_all();
    if (constraints_.max_norm) project();
    for (std::size_t f = 0; f < shape_.num_rows(); ++f) clock(f) = 0;
    total_time_ += time_.elapsed(0);
    time_.restart();
    for (std::size_t f = 0; f < shape_.num_rows(); ++f)
      for (std::size_t c = 0; c < vectors_; ++c) {
        const std::size_t i = shape_.index(f, c);
        out[i] = sums_.empty() || total_time_ == 0 ? coefficient(f, c) : mean_of(i, coefficient(f, c));
      }
    if (constraints_.max_norm && !sums_.empty()) scale_average(out);
  }

 private:
  static constexpr std::size_t unit = 1 + Rule::per_coefficient;
  static constexpr std::size_t rounded(std::size_t n) noexcept {
    return n <= 2 ? 2 : n <= 4 ? 4 : (n + 7) / 8 * 8;
  }
  double* record(std::size_t feature) noexcept { return table_.data() + feature * width_; }
  double& coefficient(std::size_t feature, std::size_t c) noexcept { return record(feature)[c * unit]; }
  double& clock(std::size_t feature) noexcept { return record(feature)[width_ - 1]; }
  // Pinned coefficients do not move: their sum would only collect rounding.
  double mean_of(std::size_t i, double b) const noexcept {
    return view_.pinned(i) ? b : constraints_.at(i).clamp(sums_[i] / total_time_);
  }

  void catch_up_all() {
    for (std::size_t f = 0; f < shape_.num_rows(); ++f) catch_up(f);
    due_ = 0;
  }

  void catch_up(std::size_t feature) {
    double* r = record(feature);
    const double elapsed = time_.elapsed(clock(feature));
    if (elapsed == 0) return;
    clock(feature) = time_.now();
    const double* own = r + vectors_ * unit;
    for (std::size_t c = 0; c < vectors_; ++c) {
      const std::size_t i = shape_.index(feature, c);
      double* b = r + c * unit;
      if (!view_.penalized(i)) {
        if (!sums_.empty()) sums_[i] += b[0] * elapsed;
        continue;
      }
      const auto prior = view_.at(i);
      const double mean = view_.mean(i), offset = b[0] - mean;
      const double speed = rule_.speed(b + 1, own);
      const Interval limits = constraints_.at(i);
      if (!sums_.empty())
        sums_[i] += mean * elapsed +
                    flow_integral_within(prior, offset, speed * elapsed, limits.relative_to(mean)) / speed;
      if (offset != 0 || constraints_.bounds != nullptr)
        b[0] = limits.clamp(mean + prior.flow(offset, speed * elapsed));
    }
  }

  // All coefficients are caught up and, if they lie outside, scaled back onto the ball.
  void project() {
    catch_up_all();
    visited_ = 0;
    double sum = 0;
    for_each_in_ball([&](std::size_t f, std::size_t c) { sum += coefficient(f, c) * coefficient(f, c); });
    const double norm = std::sqrt(sum);
    if (norm <= *constraints_.max_norm) return;
    const double factor = *constraints_.max_norm / norm;
    for_each_in_ball([&](std::size_t f, std::size_t c) { coefficient(f, c) *= factor; });
  }
  void scale_average(std::span<double> out) {
    double sum = 0;
    for_each_in_ball(
        [&](std::size_t f, std::size_t c) { sum += out[shape_.index(f, c)] * out[shape_.index(f, c)]; });
    const double norm = std::sqrt(sum);
    if (norm <= *constraints_.max_norm) return;
    for_each_in_ball(
        [&](std::size_t f, std::size_t c) { out[shape_.index(f, c)] *= *constraints_.max_norm / norm; });
  }
  template <class Body>
  void for_each_in_ball(const Body& body) {
    for (std::size_t f = 0; f < shape_.num_features; ++f)
      for (std::size_t c = 0; c < vectors_; ++c)
        if (!view_.pinned(shape_.index(f, c))) body(f, c);
  }

  model::Shape shape_;
  View view_;
  Rule rule_;
  std::size_t vectors_, width_;
  math::Vector table_;
  math::Vector sums_;  // ∫ b dS so far; empty without averaging
  Constraints constraints_;
  FlowStep time_;
  double total_time_ = 0;
  std::uint64_t every_, due_ = 0;
  std::uint64_t visited_ = 0;  // non-zeros since the last projection
};

}  // namespace lazylogit::optim
