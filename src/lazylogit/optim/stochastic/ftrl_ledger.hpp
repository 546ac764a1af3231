// FTRL-Proximal with a prior that grows with the examples seen: what the optimizer `ftrl` works on.
//
// Each coefficient is the minimiser of all gradients so far, a quadratic around every earlier iterate, and t/n
// of its prior R, t the examples seen (mini-batches, each of which gives one mean gradient):
//
//   b(t) = argmin_b  z b + ½ H b² + (t/n) R(b − m),     H = (β + √G)/η
//   a touch with gradient g:  σ = (√(G + g²) − √G)/η,  z ← z + g − σ b,  G ← G + g²
//
// For the convex priors R(b) = l₁|b| + l₂b²/2, so with u = −z − H m and τ = t/n
//   b(t) = m + sign(u) max(0, |u| − l₁ τ)/(H + l₂ τ),
// a closed form in t: a coefficient is right whenever it is read, nothing has to be caught up, and exact zeros
// appear. At first z = −(β/η) b₀, which makes b(0) the start. Its mean over time has a closed form too. The learning
// rate η is one for the whole fit: H takes the place of a schedule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/constraints.hpp"
#include "lazylogit/optim/stochastic/rules/ftrl.hpp"
#include "lazylogit/optim/stochastic/settings.hpp"

namespace lazylogit::optim {

// The value and the time integral of sign(u) max(0, |u| − l1 τ)/(h + l2 τ), held within an interval.
struct LeaderPath {
  double u, h, l1, l2;
  double at(double tau) const noexcept {
    return std::copysign(std::max(0.0, std::abs(u) - l1 * tau), u) / (h + l2 * tau);
  }
  double integral(double from, double to, Interval interval) const noexcept;
};

template <class View>
class FtrlLedger {
 public:
  FtrlLedger(const objective::Problem& problem, const View& view, const Ftrl& rule, double num_examples,
             std::span<const double> start, const StochasticSettings& settings)
      : shape_(problem.shape),
        view_(view),
        beta_(rule.beta),
        num_examples_(num_examples),
        vectors_(shape_.num_vectors()),
        start_(start.begin(), start.end()),
        state_(shape_.size() * 2, 0.0),
        sums_(settings.average ? shape_.size() : 0, 0.0),
        clocks_(settings.average ? shape_.num_rows() : 0, 0.0),
        constraints_(settings.constraints) {}

  std::size_t vectors() const noexcept { return vectors_; }

  void add_scores(std::size_t feature, double x, double* s) {
    if (!sums_.empty()) add_to_average(feature);
    for (std::size_t c = 0; c < vectors_; ++c) s[c] += x * coefficient(shape_.index(feature, c));
  }

  void touch(std::size_t feature, const double* gradient, Pace pace) {
    set_rate(pace.rate);
    for (std::size_t c = 0; c < vectors_; ++c) {
      const std::size_t i = shape_.index(feature, c);
      if (view_.pinned(i)) continue;
      const double g = gradient[c], b = coefficient(i), sum = square_sum(i);
      // √(G + g²) − √G without cancellation
      const double grown = std::sqrt(sum + g * g);
      const double sigma = g == 0 ? 0 : g * g / (grown + std::sqrt(sum)) / rate_;
      state_[2 * i] += g - sigma * b;
      square_sum(i) = sum + g * g;
    }
  }

  void advance(double /*h*/, std::size_t /*examples*/) { tau_ = ++seen_ / num_examples_; }

  void finish(std::span<double> out) {
    for (std::size_t f = 0; f < shape_.num_rows(); ++f) {
      if (!sums_.empty()) add_to_average(f);
      for (std::size_t c = 0; c < vectors_; ++c) {
        const std::size_t i = shape_.index(f, c);
        out[i] = sums_.empty() || tau_ == 0 || view_.pinned(i) ? coefficient(i)
                                                               : constraints_.at(i).clamp(sums_[i] / tau_);
      }
    }
  }

 private:
  double& square_sum(std::size_t i) noexcept { return state_[2 * i + 1]; }

  void set_rate(double rate) {
    if (rate_ > 0) return;
    rate_ = rate;
    for (std::size_t f = 0; f < shape_.num_rows(); ++f)
      for (std::size_t c = 0; c < vectors_; ++c)
        state_[2 * shape_.index(f, c)] -= beta_ / rate_ * start_[shape_.index(f, c)];
  }

  LeaderPath path(std::size_t i) const noexcept {
    const double h = (beta_ + std::sqrt(state_[2 * i + 1])) / rate_;
    if (!view_.penalized(i)) return {-state_[2 * i], h, 0, 0};
    const auto prior = view_.at(i);
    return {-state_[2 * i] - h * view_.mean(i), h, prior.slope(), prior.curvature(0)};
  }
  double mean(std::size_t i) const noexcept { return view_.penalized(i) ? view_.mean(i) : 0; }

  double coefficient(std::size_t i) const noexcept {
    if (view_.pinned(i)) return start_[i];
    if (!(rate_ > 0)) return constraints_.at(i).clamp(start_[i]);
    return constraints_.at(i).clamp(mean(i) + path(i).at(tau_));
  }

  void add_to_average(std::size_t feature) {
    const double from = clocks_[feature];
    if (from == tau_) return;
    clocks_[feature] = tau_;
    for (std::size_t c = 0; c < vectors_; ++c) {
      const std::size_t i = shape_.index(feature, c);
      if (view_.pinned(i)) continue;
      const double m = mean(i);
      sums_[i] += m * (tau_ - from) + path(i).integral(from, tau_, constraints_.at(i).relative_to(m));
    }
  }

  model::Shape shape_;
  View view_;
  double beta_, num_examples_;
  std::size_t vectors_;
  math::Vector start_;
  math::Vector state_;  // [z, G] of each coefficient
  math::Vector sums_;   // ∫ b dτ up to clocks_; empty without averaging
  math::Vector clocks_;
  Constraints constraints_;
  double rate_ = 0;  // of the first step
  double seen_ = 0, tau_ = 0;
};

}  // namespace lazylogit::optim
