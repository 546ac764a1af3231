// Update rules of stochastic training (stochastic/rules/rule.hpp) on a stream: the online learners `adam`, `adamax`, `rmsprop` and
// `adadelta`.
//
//   record of a feature = [ (b, state) of each vector | the feature's state | clock ]
//
// A touch: the record is caught up, b ← flow(b, r (S − clock)) with r the speed of the rule; the rule takes its step for the gradient
// w g x. The prior acts for r η_t/t at example t, S = Σ η_t/t; r rests between touches, so that is exact. η_t follows the
// schedule. All sums are over examples of positive weight.
#pragma once

#include <algorithm>
#include <cmath>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/online/lazy_flow.hpp"
#include "lazylogit/optim/online/record_learner.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"
#include "lazylogit/optim/online/widening.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

template <prior::Prior P, UpdateRule Rule>
class RuleSteps final : public RecordLearner<RuleSteps<P, Rule>> {
  using Base = RecordLearner<RuleSteps<P, Rule>>;
  friend Base;
  using Base::examples_, Base::features_, Base::form_, Base::intercept_, Base::record, Base::settings_;

 public:
  static constexpr bool learns_choices = false;

  // `default_rate`: where the settings name none.
  RuleSteps(const P& prior, const Rule& rule, const OnlineSettings& settings, double default_rate)
      : Base(settings, vector_form(2, settings), width_of(vector_form(2, settings).vectors)),
        prior_(prior),
        rule_(rule) {
    settings_.schedule.rate = settings.rate.value_or(default_rate);
  }

  void coefficients(std::size_t feature, double* out) const override {
    const double* r = record(feature);
    const bool penalized = feature != features_.size() || settings_.prior_on_intercept;
    for (std::size_t c = 0; c < form_.vectors; ++c)
      out[c] = penalized ? flowed(r, c, time_.elapsed(r[width() - 1])) : r[c * unit];
  }
  void begin_at(std::size_t feature, const double* b) override {
    for (std::size_t c = 0; c < form_.vectors; ++c) record(feature)[c * unit] = b[c];
  }
  Scalars scalars() const override {
    return {{"examples", examples_}, {"time", time_.now()}, {"time_rest", time_.compensation()}};
  }
  void restore(const Scalars& scalars) override {
    examples_ = scalar(scalars, "examples");
    time_.resume(scalar(scalars, "time"), scalar(scalars, "time_rest"));
  }

 private:
  static constexpr std::size_t unit = 1 + Rule::per_coefficient;
  static constexpr std::size_t width_of(std::size_t vectors) noexcept {
    return vectors * unit + Rule::per_feature + 1;
  }
  std::size_t width() const noexcept { return width_of(form_.vectors); }

  double flowed(const double* r, std::size_t c, double elapsed) const noexcept {
    const double* b = r + c * unit;
    return b[0] == 0 ? b[0] : flow_for(prior_, b[0], rule_.speed(b + 1, r + form_.vectors * unit) * elapsed);
  }
  void catch_up(double* r) const noexcept {
    const double elapsed = time_.elapsed(r[width() - 1]);
    if (elapsed == 0) return;
    r[width() - 1] = time_.now();
    for (std::size_t c = 0; c < form_.vectors; ++c) r[c * unit] = flowed(r, c, elapsed);
  }
  // What is owed to the prior is owed by the coefficients as they are.
  void before_widening() noexcept {
    for (std::size_t f = 0; f < features_.size(); ++f) catch_up(features_.at(f));
    if (settings_.prior_on_intercept) catch_up(intercept_.at(0));
  }

  void add_scores(double* r, double x, bool penalized) noexcept {
    if (penalized) catch_up(r);
    for (std::size_t c = 0; c < form_.vectors; ++c) scores_[c] += x * r[c * unit];
  }
  void touch(double* r, double x, Pace pace) const noexcept {
    double* const own = r + form_.vectors * unit;
    rule_.begin(own, pace);
    for (std::size_t c = 0; c < form_.vectors; ++c)
      r[c * unit] += rule_.step(r + c * unit + 1, own, scores_[c] * x, pace);
  }

  template <class Row>
  RowOutcome learn_row(const Row& row, const OnlineLabel& target, double weight, double offset) {
    scores_.assign(form_.vectors, 0.0);
    for (std::size_t k = 0; k < row.size(); ++k) add_scores(features_.at(row.ids[k]), row.value(k), true);
    if (settings_.intercept) add_scores(intercept_.at(0), 1, settings_.prior_on_intercept);
    scores_[form_.vectors == 1 || form_.reference ? 0 : 1] += offset;
    const RowOutcome outcome =
        softmax_row(target.label, form_, scores_.data()).outcome;  // residuals from here on
    require_finite_loss(outcome.loss, "try a smaller --learning-rate");
    for (double& residual : scores_) residual *= weight;
    const double rate = settings_.schedule.at(0, static_cast<std::uint64_t>(examples_));
    const Pace pace{rate, std::min(1.0, rate / settings_.schedule.rate)};
    for (std::size_t k = 0; k < row.size(); ++k) touch(features_.at(row.ids[k]), row.value(k), pace);
    if (settings_.intercept) touch(intercept_.at(0), 1, pace);
    examples_ += 1;
    time_.advance(rate / examples_, 1);
    return outcome;
  }

  RecordStore widened(const RecordStore& from, const VectorForm& form) const {
    const Widening widening(form_, form);
    return widened_records(from, width_of(form.vectors), [&](const double* old, double* r) {
      widening.coefficients(old, r, unit);
      for (std::size_t u = 1; u < unit; ++u) widening.others(old + u, r + u, unit);
      std::copy_n(old + form_.vectors * unit, Rule::per_feature + 1, r + form.vectors * unit);
    });
  }

  P prior_;
  Rule rule_;
  FlowStep time_;
  math::Vector scores_;
};

}  // namespace lazylogit::optim
