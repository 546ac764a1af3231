// Online gradient descent with exact lazy regularization: the online learners `adagrad` (adaptive) and `sgd`.
//
// Adaptive, a rate for each coefficient in the units of its feature (after Ross, Mineiro and Langford 2013): with s the largest
// |x| so far and u = x/s,
//   G ← G + w g² u²,   v = 1/√(ε + G),   N ← N + Σ u²,   η_t = R √(t/N),   b ← b − η_t ĝ v u/s,   speed of the prior r = v/s²
// where g is the derivative of the loss by the score. When s grows, b and √G shrink with it. Nothing depends on the units
// of features. ĝ is g shortened so that the margin moves as far as the flow of margin_flow.hpp does: large steps and
// weights do not overshoot. Plain (sgd): η_t by the schedule, b ← b − η_t w g x as it stands, r = 1.
//
// Numbers (the squared loss): g = score − y, and the flow of the score towards y takes 1 − e^{−h} of the way, h = η_t w Σ v u². So that the
// units of y matter as little as those of features, R is times the deviation of y so far, and a free intercept begins at the first
// number. Labels: every vector is a problem of two classes by itself. Choices: gradient_choice.hpp.
//
// The prior acts for r η_t/t at example t. Between two touches r rests, so a stretch of missed examples is one flow of time
// r (S − clock), S = Σ η_t/t: what regularizing every coefficient at every example would give. All sums are over
// examples of positive weight.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/online/gradient_choice.hpp"
#include "lazylogit/optim/online/gradient_records.hpp"
#include "lazylogit/optim/online/kernels/pair_kernels.hpp"
#include "lazylogit/optim/online/margin_flow.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"

namespace lazylogit::optim {

template <prior::Prior P, bool adaptive>
class GradientSteps final : public GradientRecords<GradientSteps<P, adaptive>, P, adaptive> {
  using Records = GradientRecords<GradientSteps<P, adaptive>, P, adaptive>;
  friend RecordLearner<GradientSteps<P, adaptive>>;
  using Records::catch_up, Records::catch_up_pair, Records::examples_, Records::features_,
      Records::finish_row, Records::first_squares_, Records::form_, Records::intercept_, Records::norm_,
      Records::rate_, Records::record, Records::records_, Records::require_finite, Records::scaled,
      Records::settings_, Records::target_mean_, Records::target_squares_;

 public:
  static constexpr bool learns_choices = true;

  GradientSteps(const P& prior, const OnlineSettings& settings) : Records(prior, settings) {}

 private:
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
        const double squares = first_squares_ + sum;
        v[c] = squares > 0 ? 1 / std::sqrt(squares) : 0;
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
    rates_.resize(5 * entries);
    double* const units = rates_.data();
    double* const sums = units + entries;
    double* const inverses = sums + entries;
    double* const moves = inverses + entries;
    double* const steps = moves + entries;
    double score = 0, norm = 0;
    double* const* const records = records_.data();
    for (std::size_t k = 0; k < entries; ++k) {
      double* const r = records[k];
      if constexpr (!std::is_same_v<P, prior::Uniform>) catch_up_pair(r);
      const double x = row.value(k);
      double u = x * r[2];
      if (!(std::abs(u) <= 1 && r[2] != 0)) [[unlikely]]
        u = scaled(r, x);
      units[k] = u;
      sums[k] = r[1];
      inverses[k] = r[2];
      norm += u * u;
      score += x * r[0];
    }
    double* const own = intercept_.at(0);
    if (settings_.intercept) {
      if (settings_.prior_on_intercept) catch_up(own);
      scaled(own, 1);
      norm += 1;
      score += own[0];
    }
    double residual = score + offset;
    const SoftmaxRow result = softmax_row(label, form_, &residual);
    require_finite(result.outcome.loss);
    norm_ += norm;
    examples_ += 1;
    const double rate = rate_ * std::sqrt(examples_ / norm_), added = weight * (residual * residual);
    double move = 0;
    pair_rates_(entries, first_squares_, added, units, inverses, sums, moves, steps);
    for (std::size_t k = 0; k < entries; ++k) move += moves[k];
    double own_rate = 0;
    if (settings_.intercept) {
      own[1] += added;
      own_rate = 1 / std::sqrt(first_squares_ + own[1]);
      move += own_rate;
    }
    const double by = shortened(residual, result.log_odds, move, rate * weight);
    for (std::size_t k = 0; k < entries; ++k) {
      double* const r = records[k];
      r[0] -= by * steps[k];
      r[1] = sums[k];
    }
    if (settings_.intercept) own[0] -= by * own_rate;
    finish_row(rate);
    return result.outcome;
  }

  template <class Row>
  RowOutcome learn_row(const Row& row, const OnlineLabel& target, double weight, double offset) {
    const ClassId label = target.label;
    const std::size_t vectors = form_.vectors, entries = row.size();
    if constexpr (adaptive)
      if (vectors == 1 && settings_.response == data::Response::classes)
        return learn_pair(row, label, weight, offset);
    scores_.assign(vectors, 0.0);
    moves_.assign(vectors, 0.0);
    if constexpr (adaptive) rates_.resize((entries + 1) * vectors);
    for (std::size_t k = 0; k < entries; ++k) add_scores(features_.at(row.ids[k]), row.value(k), true);
    if (settings_.intercept) add_scores(intercept_.at(0), 1, settings_.prior_on_intercept);
    scores_[vectors == 1 || form_.reference ? 0 : 1] += offset;
    const SoftmaxRow result = residuals(target, offset);  // scores are residuals from here on
    require_finite(result.outcome.loss);
    examples_ += 1;
    const double rate = rate_now();
    double* v = rates_.data();
    for (std::size_t k = 0; k < entries; ++k, v += adaptive ? vectors : 0)
      prepare(features_.at(row.ids[k]), row.value(k), weight, v);
    if (settings_.intercept) prepare(intercept_.at(0), 1, weight, v);
    if (settings_.response == data::Response::classes)
      shorten(label, result.log_odds, rate * weight);
    else
      shorten_each(rate * weight);
    v = rates_.data();
    for (std::size_t k = 0; k < entries; ++k, v += adaptive ? vectors : 0)
      step(features_.at(row.ids[k]), row.value(k), v);
    if (settings_.intercept) step(intercept_.at(0), 1, v);
    finish_row(rate);
    return result.outcome;
  }

  double rate_now() const noexcept {
    if constexpr (!adaptive) return settings_.schedule.at(0, static_cast<std::uint64_t>(examples_ - 1));
    const double rate = rate_ * std::sqrt(examples_ / norm_);
    return settings_.response == data::Response::number ? rate * std::sqrt(target_squares_ / examples_)
                                                        : rate;
  }

  // Scores (offset included) to residuals, and what they say of the row.
  SoftmaxRow residuals(const OnlineLabel& target, double offset) {
    if (settings_.response == data::Response::classes)
      return softmax_row(target.label, form_, scores_.data());
    SoftmaxRow result;
    if (settings_.response == data::Response::number) {
      const double own = target.number - offset;
      scores_[0] -= target.number;
      result.outcome.loss = 0.5 * scores_[0] * scores_[0];
      require_finite(result.outcome.loss);
      if (examples_ == 0 && settings_.intercept && !settings_.prior_on_intercept && intercept_.at(0)[0] == 0)
        intercept_.at(0)[0] = -std::exchange(scores_[0], 0.0);
      const double away = own - target_mean_;
      target_mean_ += away / (examples_ + 1);
      target_squares_ += settings_.intercept ? away * (own - target_mean_) : own * own;
      return result;
    }
    // Before the first label there is nothing to learn.
    result.outcome = this->num_classes() > 0 ? sigmoid_row(target.set, scores_) : RowOutcome{0, true};
    if (this->num_classes() == 0) scores_[0] = 0;
    return result;
  }

  // shorten() for vectors that are problems of their own.
  void shorten_each(double rate) noexcept {
    const bool number = settings_.response == data::Response::number;
    for (std::size_t c = 0; c < form_.vectors; ++c) {
      const double h = rate * moves_[c], wrong = std::abs(scores_[c]);
      double factor = rate;
      if (number && h > 1e-12)
        factor = rate * (-std::expm1(-h) / h);
      else if (adaptive && !number && h * wrong > 0)
        factor = rate * std::min(1.0, margin_flow(std::log1p(-wrong) - std::log(wrong), h) / (h * wrong));
      scores_[c] = std::isfinite(h * wrong) ? scores_[c] * factor : 0;
    }
  }

  // shorten() for one vector of two classes.
  static double shortened(double residual, double log_odds, double move, double rate) noexcept {
    const double jump = rate * move * std::abs(residual);
    if (!std::isfinite(jump)) return 0;
    return residual * (jump > 0 ? rate * std::min(1.0, margin_flow(log_odds, rate * move) / jump) : rate);
  }

  // Residuals become steps: times the rate, and, if adaptive, shortened to the length of the flow.
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
    if (adaptive && jump > 0 && std::isfinite(jump))
      factor = rate * std::min(1.0, margin_flow(log_odds, rate * move) / jump);
    for (std::size_t c = 0; c < vectors; ++c) scores_[c] *= factor;
    if (!std::isfinite(jump)) std::fill(scores_.begin(), scores_.end(), 0.0);
  }

  template <class View>
  RowOutcome learn_choice(const View& view, const OnlineChoice& choice) {
    choice_.read(view, choice);
    choice_.for_features([&](FeatureId id, std::span<const ChoiceEntry> entries) {
      double* r = features_.at(id);
      catch_up(r);
      if constexpr (adaptive) {
        double largest = 0;
        for (const ChoiceEntry& entry : entries) scaled(r, entry.x);
        for (const ChoiceEntry& entry : entries) largest = std::max(largest, std::abs(scaled(r, entry.x)));
        norm_ += largest * largest;
      }
      for (const ChoiceEntry& entry : entries) choice_.scores[entry.candidate] += entry.x * r[0];
    });
    const SoftmaxRow result = choice_.residuals();
    require_finite(result.outcome.loss);
    examples_ += 1;
    const double rate = norm_ > 0 || !adaptive ? rate_now() : 0.0;
    // Steps of length 1 and how far they move the log odds of the taken candidate, times its 1 − p.
    double move = 0;
    steps_.clear();
    choice_.for_features([&](FeatureId id, std::span<const ChoiceEntry> entries) {
      double* r = features_.at(id);
      double g = 0;
      for (const ChoiceEntry& entry : entries) g += choice_.scores[entry.candidate] * entry.x;
      double step = g;
      if constexpr (adaptive) {
        const double gu = g * r[2];
        r[1] += choice.weight * gu * gu;
        step = gu * r[2] / std::sqrt(first_squares_ + r[1]);
      }
      move += g * step;
      steps_.push_back(step);
    });
    const double wrong = 1 / (1 + std::exp(result.log_odds)), by = rate * choice.weight;
    const double jump = wrong > 0 ? by * move / wrong : 0;
    double factor = by;
    if (adaptive && jump > 0) factor = by * std::min(1.0, margin_flow(result.log_odds, jump / wrong) / jump);
    if (std::isfinite(jump)) {
      std::size_t at = 0;
      choice_.for_features(
          [&](FeatureId id, std::span<const ChoiceEntry>) { features_.at(id)[0] -= factor * steps_[at++]; });
    }
    finish_row(rate);
    return result.outcome;
  }

  PairRates pair_rates_ = pair_rates();
  math::Vector scores_, moves_, rates_;
  ChoiceGradient choice_;
  std::vector<double> steps_;
};

}  // namespace lazylogit::optim
