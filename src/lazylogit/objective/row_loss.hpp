// The loss of one example from its scores: −log p(c | scores), and the probabilities, stable for any finite
// scores.
//
//   one vector:  p = 1/(1 + e^{−s}),  loss = log(1 + e^{−s}) if the label is the vector's class, else log(1 +
//   e^{s}) several:     p_c = e^{s_c}/Z,  loss = log Z − s_label,  Z with a term 1 for the reference class if
//   there is one
#pragma once

#include <cmath>
#include <cstddef>

#include "lazylogit/math/softmax.hpp"

namespace lazylogit::objective {

inline constexpr std::size_t no_vector = static_cast<std::size_t>(-1);  // the reference class

// Returns the loss and sets p, the probability of the vector's class; `is_class`: the label is that class.
inline double binary_loss(double score, bool is_class, double& p) noexcept {
  const double e = std::exp(-std::abs(score));
  const double near = 1 / (1 + e), far = e / (1 + e);
  p = score >= 0 ? near : far;
  const double margin = is_class ? score : -score;
  return std::log1p(e) + (margin < 0 ? -margin : 0);
}

// Replaces scores[0, vectors) by probabilities and returns the loss of `label` (a vector, or no_vector). The
// reference's probability goes to *reference_p when there is a reference.
inline double softmax_loss(double* scores, std::size_t vectors, std::size_t label, bool has_reference,
                           double* reference_p) noexcept {
  const double label_score = label == no_vector ? 0.0 : scores[label];
  const math::LogNormalizer z = math::apply_softmax(
      {scores, vectors}, has_reference ? math::ReferenceClass::present : math::ReferenceClass::absent);
  if (reference_p != nullptr && has_reference) *reference_p = std::exp(z.log_probability(0));
  return -z.log_probability(label_score);
}

}  // namespace lazylogit::objective
