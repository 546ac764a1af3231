// What the prior does to a coefficient over a stretch of steps in which no example touched it. b is relative
// to the prior's mean; R = −log prior; h_t = η_t/n. Three operators with one interface:
//
//   FlowStep      the flow of db/ds = −R'(b) for the time Σ h_t. Flows compose, so lazy and dense updates end
//   in
//                 the same place for every prior and schedule.
//   CompoundStep  b ← b − h_t R'(b) for each t in turn, clipped at the mode: Gaussian b Π(1 − h_t/σ²);
//   Laplace
//                 soft thresholding by √2/σ Σ h_t; elastic net (|b| + l1/l2) Π(1 − l2 h_t) − l1/l2, because
//                 each step multiplies |b| + l1/l2 and one clip at the end equals a clip at each step; Cauchy
//                 has no closed form and loops.
//   LinearStep    b ← b − R'(b) Σ h_t, clipped at the mode: exact for Laplace only.
//
// apply(p, b, from) is the value now of a coefficient that was b at clock `from`; integral(p, b, from) the
// time integral of the path between (for CompoundStep Σ h_t b_t over the values after each step). No operator
// crosses the mode. now() is the clock to keep beside a coefficient; clocks restart at 0 every epoch.
#pragma once

#include <cmath>
#include <cstddef>

#include "lazylogit/optim/stochastic/step_log.hpp"
#include "lazylogit/prior/elastic_net.hpp"
#include "lazylogit/prior/gaussian.hpp"
#include "lazylogit/prior/laplace.hpp"
#include "lazylogit/prior/prior.hpp"
#include "lazylogit/prior/uniform.hpp"

namespace lazylogit::optim {

class FlowStep {
 public:
  explicit FlowStep(double /*max_precision*/ = 0) {}
  void restart() noexcept { sum_ = compensation_ = 0; }
  void advance(double h, std::size_t count) noexcept {  // compensated: 10⁸ steps lose nothing
    const double term = h * static_cast<double>(count) - compensation_;
    const double next = sum_ + term;
    compensation_ = (next - sum_) - term;
    sum_ = next;
  }
  double compensation() const noexcept { return compensation_; }
  void resume(double sum, double compensation) noexcept { sum_ = sum, compensation_ = compensation; }
  double now() const noexcept { return sum_; }
  double elapsed(double from) const noexcept { return sum_ - from; }
  template <prior::Prior P>
  double apply(const P& p, double b, double from) const noexcept {
    return b == 0 ? 0 : p.flow(b, elapsed(from));
  }
  template <prior::Prior P>
  double integral(const P& p, double b, double from) const noexcept {
    return p.flow_integral(b, elapsed(from));
  }

 private:
  double sum_ = 0, compensation_ = 0;
};

// One explicit step, clipped at the mode.
template <prior::Prior P>
double explicit_step(const P& p, double b, double h) noexcept {
  const double next = b - h * p.gradient(b);
  return (b > 0) == (next > 0) && (b < 0) == (next < 0) ? next : 0.0;
}

class CompoundStep {
 public:
  explicit CompoundStep(double max_precision) : log_(max_precision) {}
  void restart() noexcept { log_.restart(); }
  void advance(double h, std::size_t count) { log_.append(h, count); }
  double now() const noexcept { return static_cast<double>(log_.size()); }
  double elapsed(double from) const noexcept { return log_.sum(index(from)); }

  template <prior::Prior P>  // no closed form: one after another
  double apply(const P& p, double b, double from) const noexcept {
    for (std::size_t t = index(from); t < log_.size() && b != 0; ++t) b = explicit_step(p, b, log_.at(t));
    return b;
  }
  double apply(const prior::Uniform&, double b, double) const noexcept { return b; }
  double apply(const prior::Gaussian& p, double b, double from) const noexcept {
    return b * std::exp(log_.log_product(p.precision, index(from)));
  }
  double apply(const prior::Laplace& p, double b, double from) const noexcept {
    return p.flow(b, elapsed(from));
  }
  double apply(const prior::ElasticNet& p, double b, double from) const noexcept {
    if (p.l2 < 1e-280) return prior::Laplace{p.l1}.flow(b, elapsed(from));
    const double log_product = log_.log_product(p.l2, index(from));
    const double magnitude = std::abs(b) * std::exp(log_product) + p.l1 * (std::expm1(log_product) / p.l2);
    return magnitude > 0 ? std::copysign(magnitude, b) : 0.0;
  }
  template <prior::Prior P>
  double integral(const P& p, double b, double from) const noexcept {
    double sum = 0;
    for (std::size_t t = index(from); t < log_.size() && b != 0; ++t) {
      b = explicit_step(p, b, log_.at(t));
      sum += log_.at(t) * b;
    }
    return sum;
  }

 private:
  static std::size_t index(double clock) noexcept { return static_cast<std::size_t>(clock); }
  StepLog log_;
};

class LinearStep {
 public:
  explicit LinearStep(double /*max_precision*/ = 0) {}
  void restart() noexcept { time_.restart(); }
  void advance(double h, std::size_t count) noexcept { time_.advance(h, count); }
  double now() const noexcept { return time_.now(); }
  double elapsed(double from) const noexcept { return time_.elapsed(from); }
  template <prior::Prior P>
  double apply(const P& p, double b, double from) const noexcept {
    return explicit_step(p, b, elapsed(from));
  }
  template <prior::Prior P>
  double integral(const P& p, double b,
                  double from) const noexcept {  // of the straight line down to the mode
    const double slope = std::abs(p.gradient(b)), time = elapsed(from);
    const double t = slope * time <= std::abs(b) ? time : std::abs(b) / slope;
    return std::copysign(t * (std::abs(b) - 0.5 * slope * t), b);
  }

 private:
  FlowStep time_;
};

}  // namespace lazylogit::optim
