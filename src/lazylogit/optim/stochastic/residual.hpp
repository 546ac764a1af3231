// The derivative of an example's loss with respect to its scores, and the loss itself.
//
//   residual_c = p_c − [label = c],      loss = −log p(label)
//
// The smaller of p and 1 − p is formed without cancellation, so residuals of near-certain examples keep their
// precision. Offsets are added to the score of the second of two classes.
#pragma once

#include <cmath>
#include <cstddef>

#include "lazylogit/math/elementary.hpp"
#include "lazylogit/math/softmax.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::optim {

class Residual {
 public:
  explicit Residual(const objective::Problem& problem)
      : problem_(&problem), vectors_(problem.shape.num_vectors()), first_class_(problem.shape.class_of(0)) {}

  // Replaces the scores s[0, vectors) of a row by its residuals; returns the loss.
  double operator()(std::size_t row, double* s) const noexcept {
    if (!problem_->offsets.empty()) add_offset(problem_->offsets[row], s);
    return vectors_ == 1 ? one(problem_->labels[row] == first_class_, s) : several(problem_->labels[row], s);
  }

 private:
  static double one(bool hit, double* s) noexcept {
    const double score = s[0];
    const double e = math::exp_nonpositive(-std::fabs(score));
    const bool favoured = (score >= 0) == hit;          // the label is the more probable class
    const double q = (favoured ? e : 1.0) / (1.0 + e);  // 1 − p(label)
    s[0] = hit ? -q : q;
    return math::log1p_unit(e) + (favoured ? 0.0 : std::fabs(score));
  }

  double several(ClassId label, double* s) const noexcept {
    const auto reference =
        problem_->shape.reference ? math::ReferenceClass::present : math::ReferenceClass::absent;
    const auto vector = problem_->shape.vector_of(label);
    const double own = vector ? s[*vector] : 0.0;
    const double loss = -math::apply_softmax({s, vectors_}, reference).log_probability(own);
    if (vector) s[*vector] -= 1;
    return loss;
  }

  void add_offset(double offset, double* s) const noexcept {
    if (const auto vector = problem_->shape.vector_of(1))
      s[*vector] += offset;
    else
      s[0] -= offset;
  }

  const objective::Problem* problem_;
  std::size_t vectors_;
  ClassId first_class_;
};

}  // namespace lazylogit::optim
