// Scores of a row to its residuals p_c − [label = c] and its outcome, for the vector forms of online learners.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

#include "lazylogit/base/error.hpp"
#include "lazylogit/math/softmax.hpp"
#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/optim/online/vector_form.hpp"

namespace lazylogit::optim {

// The vector of a class; −1 for the reference.
inline std::ptrdiff_t vector_of(ClassId label, const VectorForm& form) noexcept {
  return static_cast<std::ptrdiff_t>(label) - (form.reference ? 1 : 0);
}

// Replaces s[0, vectors) by residuals. `own` is the score of the label before.
struct SoftmaxRow {
  RowOutcome outcome;
  double log_odds = 0;  // log p/(1 − p) of the label
};

inline SoftmaxRow softmax_row(ClassId label, const VectorForm& form, double* s) noexcept {
  SoftmaxRow result;
  const std::ptrdiff_t vector = vector_of(label, form);
  if (form.vectors == 1) {  // two classes, one vector: of class 1
    const double margin = label == 1 ? s[0] : -s[0];
    const double e = std::exp(-std::abs(margin)), wrong = (margin > 0 ? e : 1) / (1 + e);
    result.outcome = {margin > 0 ? std::log1p(e) : std::log1p(e) - margin,
                      label == 1 ? margin > 0 : margin >= 0};
    result.log_odds = margin;
    s[0] = label == 1 ? -wrong : wrong;
    return result;
  }
  const double own = vector < 0 ? 0.0 : s[vector];
  double rival = form.reference && vector >= 0 ? 0.0 : -HUGE_VAL;  // the best other score
  for (std::size_t c = 0; c < form.vectors; ++c)
    if (static_cast<std::ptrdiff_t>(c) != vector && s[c] > rival) rival = s[c];
  double others = form.reference && vector >= 0 ? std::exp(-rival) : 0.0;  // Σ e^{s − rival} over the others
  for (std::size_t c = 0; c < form.vectors; ++c)
    if (static_cast<std::ptrdiff_t>(c) != vector) others += std::exp(s[c] - rival);
  result.log_odds = own - rival - std::log(others);
  const double log_p = result.log_odds > 0 ? -std::log1p(std::exp(-result.log_odds))
                                           : result.log_odds - std::log1p(std::exp(result.log_odds));
  result.outcome = {-log_p, own > rival};
  const double wrong = 1 / (1 + std::exp(result.log_odds));  // 1 − p without cancellation
  const double share = wrong / others;
  for (std::size_t c = 0; c < form.vectors; ++c)
    s[c] = static_cast<std::ptrdiff_t>(c) == vector ? -wrong : share * std::exp(s[c] - rival);
  return result;
}

// Refuses a row whose loss is beyond the range of finite numbers.
inline void require_finite_loss(double loss, const char* hint) {
  if (!std::isfinite(loss))
    throw InputError({.message = "the loss of a row is beyond the range of finite numbers",
                      .hint = hint,
                      .code = "not-finite"});
}

// Scores to residuals p_c − [c ∈ set], a sigmoid each; the loss is their sum, and all labels must be right (probability 0.5 and
// more, or less).
inline RowOutcome sigmoid_row(std::span<const ClassId> set, std::span<double> s) noexcept {
  RowOutcome outcome{.loss = 0, .correct = true};
  std::size_t next = 0;
  for (std::size_t c = 0; c < s.size(); ++c) {
    const bool own = next < set.size() && static_cast<std::size_t>(set[next]) == c;
    next += own ? 1 : 0;
    const double margin = own ? s[c] : -s[c], wrong = 1 / (1 + std::exp(margin));
    outcome.loss += margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
    outcome.correct = outcome.correct && (own ? margin >= 0 : margin > 0);
    s[c] = own ? -wrong : wrong;
  }
  return outcome;
}

}  // namespace lazylogit::optim
