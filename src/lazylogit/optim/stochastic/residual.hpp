// The derivative of an example's loss with respect to its scores, and the loss itself.
//
//   residual_c = p_c − [label = c],      loss = −log p(label)
//   a number: residual = s − y,           loss = (s − y)²/2
//   labels:   residual_c = p_c − [c ∈ labels], a sigmoid each
//
// The response is looked at once per row, not once per run: a branch that is always the same costs nothing beside a row,
// while another copy of every ledger would cost minutes of compiling.
//
// One vector: with the margin m = ±score of the label, 1 − p(label) = 1/(1 + e^m), which neither cancels nor
// overflows into anything but 0. No branch depends on a score, so the processor can look beyond it. The loss
// ln(1 + e^{−m}) is not needed to learn; margins are kept and turned into losses many at a time. Offsets are
// added to the score of the second of two classes.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "lazylogit/math/softmax.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::optim {

class Residual {
 public:
  explicit Residual(const objective::Problem& problem)
      : problem_(&problem),
        vectors_(problem.shape.num_vectors()),
        first_class_(problem.shape.class_of(0)),
        of_two_(problem.shape.response == data::Response::classes && vectors_ == 1) {}

  // How many numbers the array of a row's scores must have room for.
  std::size_t room() const noexcept { return vectors_ == 1 ? 1 : (vectors_ + 7) / 8 * 8; }

  // Replaces the scores s[0, vectors) of a row by its residuals times weight · factor, and of classes s[vectors, room) by
  // 0; counts its loss times `weight`.
  void operator()(std::size_t row, double weight, double* s, double factor = 1) {
    if (!problem_->offsets.empty()) add_offset(problem_->offsets[row], s);
    if (!of_two_) return of_others(row, weight, s, factor);
    const double sign = problem_->labels[row] == first_class_ ? 1.0 : -1.0;
    const double margin = sign * s[0];
    s[0] = factor * (-sign * weight / (1 + std::exp(margin)));
    margins_[kept_] = -margin;
    weights_[kept_] = weight;
    if (++kept_ == margins_.size()) flush();
  }

  // Σ w · loss since the last call.
  double take_loss() {
    flush();
    return std::exchange(loss_, 0.0);
  }

 private:
  // All but two classes with one vector.
  [[gnu::noinline]] void of_others(std::size_t row, double weight, double* s, double factor) {
    if (problem_->shape.response == data::Response::number) {
      const double error = s[0] - problem_->targets[row];
      loss_ += 0.5 * weight * error * error;
      s[0] = factor * (weight * error);
    } else if (problem_->shape.response == data::Response::labels) {
      sigmoids((*problem_->label_sets)[row], weight, s, factor);
    } else {
      const auto reference =
          problem_->shape.reference ? math::ReferenceClass::present : math::ReferenceClass::absent;
      const std::size_t own = problem_->shape.vector_of(problem_->labels[row]).value_or(vectors_);
      loss_ += weight * math::apply_softmax_residuals(s, vectors_, reference, own, factor * weight);
    }
  }

  [[gnu::noinline]] void flush() {
    math::log1p_exps({margins_.data(), kept_}, {margins_.data(), kept_});
    for (std::size_t i = 0; i < kept_; ++i) loss_ += weights_[i] * margins_[i];
    kept_ = 0;
  }

  void sigmoids(std::span<const ClassId> own, double weight, double* s, double factor) {
    for (const ClassId c : own) s[c] = -s[c];
    for (std::size_t c = 0; c < vectors_; ++c) {
      margins_[kept_] = s[c];
      weights_[kept_] = weight;
      if (++kept_ == margins_.size()) flush();
      s[c] = factor * (weight / (1 + std::exp(-s[c])));
    }
    for (const ClassId c : own) s[c] = -s[c];
  }

  void add_offset(double offset, double* s) const noexcept {
    if (problem_->shape.response == data::Response::number)
      s[0] += offset;
    else if (const auto vector = problem_->shape.vector_of(1))
      s[*vector] += offset;
    else
      s[0] -= offset;
  }

  const objective::Problem* problem_;
  std::size_t vectors_;
  ClassId first_class_;
  bool of_two_;
  std::array<double, 256> margins_{}, weights_{};
  std::size_t kept_ = 0;
  double loss_ = 0;
};

}  // namespace lazylogit::optim
