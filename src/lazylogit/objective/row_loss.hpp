// The loss of one example from its scores: −log p(c | scores), and the probabilities, stable for any finite
// scores.
//
//   one vector:  p = 1/(1 + e^{−s}),  loss = log(1 + e^{−s}) if the label is the vector's class, else log(1 +
//   e^{s}) several:     p_c = e^{s_c}/Z,  loss = log Z − s_label,  Z with a term 1 for the reference class if
//   there is one
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

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
  double top = has_reference ? 0.0 : scores[0];
  for (std::size_t c = 0; c < vectors; ++c) top = std::max(top, scores[c]);
  const double label_score = label == no_vector ? 0.0 : scores[label];
  double sum = has_reference ? std::exp(-top) : 0.0;
  if (reference_p != nullptr) *reference_p = sum;
  for (std::size_t c = 0; c < vectors; ++c) {
    scores[c] = std::exp(scores[c] - top);
    sum += scores[c];
  }
  const double inverse = 1 / sum;
  for (std::size_t c = 0; c < vectors; ++c) scores[c] *= inverse;
  if (reference_p != nullptr) *reference_p *= inverse;
  return std::max(0.0, std::log(sum) + (top - label_score));
}

}  // namespace lazylogit::objective
