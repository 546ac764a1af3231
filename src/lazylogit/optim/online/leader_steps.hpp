// Follow the (proximally) regularized leader (McMahan et al. 2013) on a stream: the online learner `ftrl`.
//
//   record of a feature = [ (z, G) of each vector ]
//   b = argmin_b  z b + ½ H b² + l₁|b| + ½ l₂ b² = sign(−z) max(0, |z| − l₁)/(H + l₂),   H = (β + √G)/η
//   a touch with gradient g:  σ = (√(G + g²) − √G)/η,  z ← z + g − σ b,  G ← G + g²
//
// The prior counts once against all examples so far, as in the error that is minimised; a coefficient is right whenever it is read,
// and zeros are exact. Convex priors alone.
#pragma once

#include <algorithm>
#include <cmath>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/online/record_learner.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"
#include "lazylogit/optim/online/widening.hpp"

namespace lazylogit::optim {

class LeaderSteps final : public RecordLearner<LeaderSteps> {
  friend class RecordLearner<LeaderSteps>;

 public:
  static constexpr bool learns_choices = false;

  static constexpr double default_rate = 0.5;
  struct Penalty {
    double l1 = 0, l2 = 0;
  };
  LeaderSteps(const Penalty& penalty, double beta, const OnlineSettings& settings)
      : RecordLearner(settings, vector_form(2, settings), 2 * vector_form(2, settings).vectors),
        penalty_(penalty),
        beta_(beta),
        rate_(settings.rate.value_or(default_rate)) {}

  void coefficients(std::size_t feature, double* out) const override {
    for (std::size_t c = 0; c < form_.vectors; ++c)
      out[c] = coefficient(record(feature) + 2 * c, penalty_of(feature == features_.size()));
  }
  // So that b is where learning begins, before the prior acts.
  void begin_at(std::size_t feature, const double* b) override {
    for (std::size_t c = 0; c < form_.vectors; ++c) record(feature)[2 * c] = 0 - beta_ / rate_ * b[c];
  }
  Scalars scalars() const override { return {{"examples", examples_}}; }
  void restore(const Scalars& scalars) override { examples_ = scalar(scalars, "examples"); }

 private:
  Penalty penalty_of(bool is_intercept) const noexcept {
    return is_intercept && !settings_.prior_on_intercept ? Penalty{} : penalty_;
  }
  double coefficient(const double* state, const Penalty& penalty) const noexcept {
    const double length = std::max(0.0, std::abs(state[0]) - penalty.l1);
    return length == 0
               ? 0
               : std::copysign(length, -state[0]) / ((beta_ + std::sqrt(state[1])) / rate_ + penalty.l2);
  }
  void add_scores(const double* r, double x, const Penalty& penalty) noexcept {
    for (std::size_t c = 0; c < form_.vectors; ++c) scores_[c] += x * coefficient(r + 2 * c, penalty);
  }
  void touch(double* r, double x, const Penalty& penalty) const noexcept {
    for (std::size_t c = 0; c < form_.vectors; ++c) {
      double* const state = r + 2 * c;
      const double g = scores_[c] * x;
      if (g == 0) continue;
      const double b = coefficient(state, penalty), grown = std::sqrt(state[1] + g * g);
      const double sigma = g * g / (grown + std::sqrt(state[1])) / rate_;  // without cancellation
      state[0] += g - sigma * b;
      state[1] += g * g;
    }
  }

  template <class Row>
  RowOutcome learn_row(const Row& row, const OnlineLabel& target, double weight, double offset) {
    scores_.assign(form_.vectors, 0.0);
    const Penalty of_intercept = penalty_of(true);
    for (std::size_t k = 0; k < row.size(); ++k) add_scores(features_.at(row.ids[k]), row.value(k), penalty_);
    if (settings_.intercept) add_scores(intercept_.at(0), 1, of_intercept);
    scores_[form_.vectors == 1 || form_.reference ? 0 : 1] += offset;
    const RowOutcome outcome =
        softmax_row(target.label, form_, scores_.data()).outcome;  // residuals from here on
    require_finite_loss(outcome.loss, "try a smaller --learning-rate");
    for (double& residual : scores_) residual *= weight;
    for (std::size_t k = 0; k < row.size(); ++k) touch(features_.at(row.ids[k]), row.value(k), penalty_);
    if (settings_.intercept) touch(intercept_.at(0), 1, of_intercept);
    examples_ += 1;
    return outcome;
  }

  // A new vector starts at 0; from one vector to one for each class, −z/2 and z/2.
  RecordStore widened(const RecordStore& from, const VectorForm& form) const {
    const Widening widening(form_, form);
    return widened_records(from, 2 * form.vectors, [&](const double* old, double* r) {
      widening.coefficients(old, r, 2);
      widening.others(old + 1, r + 1, 2);
    });
  }

  Penalty penalty_;
  double beta_, rate_;
  math::Vector scores_;
};

}  // namespace lazylogit::optim
