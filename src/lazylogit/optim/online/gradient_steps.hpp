// Online gradient descent with exact lazy regularization: the online learners `adagrad` (adaptive) and `sgd`.
//
//   record of a feature = [ b of each vector | G of each vector, 1/s (adaptive) | clock ]
//
// Adaptive, a rate for each coefficient in the units of its feature (after Ross, Mineiro and Langford 2013): with s the largest
// |x| so far and u = x/s,
//   G ← G + w g² u²,   v = 1/√G,   N ← N + Σ u²,   η_t = R √(t/N),   b ← b − η_t ĝ v u/s,   speed of the prior r = v/s²
// where g is the derivative of the loss by the score. When s grows, b and √G shrink with it. Nothing depends on the units
// of features. Plain (sgd): η_t by the schedule, b ← b − η_t ĝ x, r = 1.
// ĝ is g shortened so that the margin moves as far as the flow of margin_flow.hpp does: large steps and weights do not
// overshoot.
//
// The prior acts for r η_t/t at example t. Between two touches r rests, so a stretch of missed examples is one flow of time
// r (S − clock), S = Σ η_t/t: what regularizing every coefficient at every example would give. All sums are over
// examples of positive weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lazylogit/base/error.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/online/margin_flow.hpp"
#include "lazylogit/optim/online/record_learner.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"

namespace lazylogit::optim {

template <prior::Prior P, bool adaptive>
class GradientSteps final : public RecordLearner<GradientSteps<P, adaptive>> {
  using Base = RecordLearner<GradientSteps<P, adaptive>>;
  friend Base;
  using Base::examples_, Base::features_, Base::form_, Base::intercept_, Base::record, Base::settings_;

 public:
  GradientSteps(const P& prior, const OnlineSettings& settings)
      : Base(settings, vector_form(2, settings), width_of(vector_form(2, settings).vectors)),
        prior_(prior),
        rate_(settings.rate.value_or(default_rate)) {}
  static constexpr double default_rate = 0.6;

  void coefficients(std::size_t feature, double* out) const override {
    const double* r = record(feature);
    const bool is_intercept = feature == features_.size();
    for (std::size_t c = 0; c < form_.vectors; ++c) {
      out[c] = r[c];
      if (!is_intercept || settings_.prior_on_intercept)
        out[c] = flowed(r[c], speed(r, c) * time_.elapsed(r[width() - 1]));
    }
  }

  void begin_at(std::size_t feature, const double* b) override {
    std::copy_n(b, form_.vectors, record(feature));
  }

  Scalars scalars() const override {
    return {
        {"examples", examples_}, {"norm", norm_}, {"time", time_.now()}, {"time_rest", time_.compensation()}};
  }
  void restore(const Scalars& scalars) override {
    examples_ = scalar(scalars, "examples");
    norm_ = scalar(scalars, "norm");
    time_.resume(scalar(scalars, "time"), scalar(scalars, "time_rest"));
  }

 private:
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
    const double g = r[form_.vectors + c], inverse = r[2 * form_.vectors];
    return g > 0 ? std::min(inverse * (inverse / std::sqrt(g)), 1e300) : 0;
  }

  double flowed(double b, double time) const noexcept {
    if (b == 0 || time == 0) return b;
    if constexpr (std::is_same_v<P, prior::Gaussian>) {
      const double a = time * prior_.precision;
      // e^{−a} to the last bit or two where the series is shorter than the library's function.
      if (a < 1e-3) return b * (1 - a * (1 - a * (0.5 - a * (1.0 / 6 - a * (1.0 / 24)))));
    }
    return prior_.flow(b, time);
  }

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

  void add_scores(double* r, double x, bool penalized) noexcept {
    if (penalized) catch_up(r);
    if constexpr (adaptive) {
      const double u = scaled(r, x);
      norm_ += u * u;
    }
    for (std::size_t c = 0; c < form_.vectors; ++c) scores_[c] += x * r[c];
  }

  // Adds to q_c what the score of c moves when the step is 1, and keeps v.
  void prepare(double* r, double x, double weight, double* v) noexcept {
    const std::size_t vectors = form_.vectors;
    if constexpr (adaptive) {
      const double u = x * r[2 * vectors], u2 = u * u;
      for (std::size_t c = 0; c < vectors; ++c) {
        const double g = scores_[c];
        double& sum = r[vectors + c];
        sum += weight * (g * g) * u2;
        v[c] = sum > 0 ? 1 / std::sqrt(sum) : 0;
        moves_[c] += v[c] * u2;
      }
    } else {
      for (std::size_t c = 0; c < vectors; ++c) moves_[c] += x * x;
    }
  }

  void step(double* r, double x, const double* v) const noexcept {
    const std::size_t vectors = form_.vectors;
    if constexpr (adaptive) {
      const double inverse = r[2 * vectors], by = x * inverse * inverse;
      for (std::size_t c = 0; c < vectors; ++c) r[c] -= scores_[c] * (v[c] * by);
    } else {
      for (std::size_t c = 0; c < vectors; ++c) r[c] -= scores_[c] * x;
    }
  }

  // learn_row for one vector, adaptive: the same numbers from tighter loops.
  template <class Row>
  RowOutcome learn_pair(const Row& row, ClassId label, double weight, double offset) {
    const std::size_t entries = row.size();
    rates_.resize(2 * (entries + 1));
    double* const units = rates_.data();
    double* const steps = units + entries + 1;
    double score = 0, norm = 0;
    for (std::size_t k = 0; k < entries; ++k) {
      double* r = features_.at(row.ids[k]);
      if constexpr (!std::is_same_v<P, prior::Uniform>) catch_up_pair(r);
      const double u = scaled(r, row.value(k));
      units[k] = u;
      norm += u * u;
      score += row.value(k) * r[0];
    }
    double* const own = intercept_.at(0);
    if (settings_.intercept) {
      if (settings_.prior_on_intercept) catch_up(own);
      scaled(own, 1);
      norm += 1;
      score += own[0];
    }
    norm_ += norm;
    double residual = score + offset;
    const SoftmaxRow result = softmax_row(label, form_, &residual);
    examples_ += 1;
    const double rate = rate_ * std::sqrt(examples_ / norm_), added = weight * (residual * residual);
    double move = 0;
    for (std::size_t k = 0; k < entries; ++k) {
      double* r = features_.at(row.ids[k]);
      const double u = units[k], u2 = u * u, sum = r[1] + added * u2;
      r[1] = sum;
      const double v = sum > 0 ? 1 / std::sqrt(sum) : 0;
      move += v * u2;
      steps[k] = v * u * r[2];
    }
    double own_rate = 0;
    if (settings_.intercept) {
      own[1] += added;
      own_rate = own[1] > 0 ? 1 / std::sqrt(own[1]) : 0;
      move += own_rate;
    }
    scores_[0] = residual;
    moves_[0] = move;
    shorten(label, result.log_odds, rate * weight);
    const double by = scores_[0];
    for (std::size_t k = 0; k < entries; ++k) features_.at(row.ids[k])[0] -= by * steps[k];
    if (settings_.intercept) own[0] -= by * own_rate;
    finish_row(rate, result.outcome.loss);
    return result.outcome;
  }

  void catch_up_pair(double* r) noexcept {
    const double elapsed = time_.elapsed(r[3]);
    r[3] = time_.now();
    if (r[0] != 0) r[0] = flowed(r[0], speed(r, 0) * elapsed);
  }

  void finish_row(double rate, double loss) {
    if (std::isfinite(rate)) time_.advance(rate / examples_, 1);
    if (!std::isfinite(loss))
      throw InputError({.message = "the loss of a row is beyond the range of finite numbers",
                        .hint = adaptive ? "are the numbers of the data as they should be?"
                                         : "try a smaller --learning-rate",
                        .code = "not-finite"});
  }

  template <class Row>
  RowOutcome learn_row(const Row& row, ClassId label, double weight, double offset) {
    const std::size_t vectors = form_.vectors, entries = row.size();
    scores_.assign(vectors, 0.0);
    moves_.assign(vectors, 0.0);
    if constexpr (adaptive)
      if (vectors == 1) return learn_pair(row, label, weight, offset);
    if constexpr (adaptive) rates_.resize((entries + 1) * vectors);
    for (std::size_t k = 0; k < entries; ++k) add_scores(features_.at(row.ids[k]), row.value(k), true);
    if (settings_.intercept) add_scores(intercept_.at(0), 1, settings_.prior_on_intercept);
    scores_[vectors == 1 || form_.reference ? 0 : 1] += offset;
    const SoftmaxRow result = softmax_row(label, form_, scores_.data());  // scores are residuals from here on
    examples_ += 1;
    const double rate = adaptive ? rate_ * std::sqrt(examples_ / norm_)
                                 : settings_.schedule.at(0, static_cast<std::uint64_t>(examples_ - 1));
    double* v = rates_.data();
    for (std::size_t k = 0; k < entries; ++k, v += adaptive ? vectors : 0)
      prepare(features_.at(row.ids[k]), row.value(k), weight, v);
    if (settings_.intercept) prepare(intercept_.at(0), 1, weight, v);
    shorten(label, result.log_odds, rate * weight);
    v = rates_.data();
    for (std::size_t k = 0; k < entries; ++k, v += adaptive ? vectors : 0)
      step(features_.at(row.ids[k]), row.value(k), v);
    if (settings_.intercept) step(intercept_.at(0), 1, v);
    finish_row(rate, result.outcome.loss);
    return result.outcome;
  }

  // Residuals become steps: times the rate, and shortened to the length of the flow.
  void shorten(ClassId label, double log_odds, double rate) noexcept {
    const std::size_t vectors = form_.vectors;
    const double wrong = 1 / (1 + std::exp(log_odds));
    double move = 0;  // of the log odds, per unit of rate · wrong
    const std::ptrdiff_t own = vector_of(label, form_);
    for (std::size_t c = 0; c < vectors; ++c) {
      const double share = static_cast<std::ptrdiff_t>(c) == own || wrong == 0 ? 1 : scores_[c] / wrong;
      move += share * share * moves_[c];
    }
    const double jump = rate * move * wrong;
    double factor = rate;
    if (jump > 0 && std::isfinite(jump))
      factor = rate * std::min(1.0, margin_flow(log_odds, rate * move) / jump);
    for (std::size_t c = 0; c < vectors; ++c) scores_[c] *= factor;
    if (!std::isfinite(jump)) std::fill(scores_.begin(), scores_.end(), 0.0);
  }

  // The records under more vectors: a new one starts at 0; from one vector to one for each class, −b/2 and b/2.
  RecordStore widened(const RecordStore& from, const VectorForm& form) const {
    RecordStore to(width_of(form.vectors));
    to.grow(from.size());
    const std::size_t before = form_.vectors, now = form.vectors;
    const bool split = form_.reference && !form.reference;
    for (std::size_t f = 0; f < from.size(); ++f) {
      const double* old = from.at(f);
      double* r = to.at(f);
      for (std::size_t c = 0; c < before; ++c) {
        const std::size_t place = split ? c + 1 : c;
        r[place] = split ? old[c] / 2 : old[c];
        if (split) r[0] = 0 - old[c] / 2;
        if constexpr (adaptive) {
          r[now + place] = old[before + c];
          if (split) r[now] = old[before + c];
        }
      }
      if constexpr (adaptive) r[2 * now] = old[2 * before];
      r[width_of(now) - 1] = old[width_of(before) - 1];
    }
    return to;
  }

  P prior_;
  double rate_, norm_ = 0;
  FlowStep time_;
  math::Vector scores_, moves_, rates_;
};

}  // namespace lazylogit::optim
