// Scores to probabilities: the one place for softmax, log-sum-exp, log(1 + exp) and the logistic function.
//
// Two classes with one score s: p = σ(s) = 1/(1 + e^−s), −ln p = ln(1 + e^−s).
// k scores: p_c = e^{s_c} / Σ e^{s_b}; with a reference class the sum has one more term, e^0 = 1, whose score
// is not in the array. The largest score is taken out first, and ln p is never formed from Z: for scores of
// any finite size nothing overflows and
//   ln p_c = (s_c − top) − log_rest,    log_rest = ln Σ e^{s − top} = log1p(Σ over the others),
// so ln p of a near-certain class keeps its relative precision (−1e-300, not 0) and scores of ±1e6 lose no
// digits. NaN scores give NaN results; an infinite score gives NaN unless it is −∞ (probability 0). The array
// forms give the same bits on every machine; they use elementary.hpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace lazylogit::math {

// Probability of the class whose score against the other is `score`.
inline double sigmoid(double score) noexcept {
  const double e = std::exp(-std::fabs(score));
  return (score >= 0 ? 1.0 : e) / (1.0 + e);
}

// ln(1 + e^x): the loss of a row whose label has score −x.
inline double log1p_exp(double x) noexcept { return (x > 0 ? x : 0.0) + std::log1p(std::exp(-std::fabs(x))); }

// ln σ(score) ≤ 0.
inline double log_sigmoid(double score) noexcept { return -log1p_exp(-score); }

// Is there a class of score 0 beside those in the array?
enum class ReferenceClass : bool { absent, present };

// What a row of scores leaves behind once its softmax is known.
struct LogNormalizer {
  double top;       // the largest score (at least 0 with a reference)
  double log_rest;  // ≥ 0
  double log_probability(double score) const noexcept { return (score - top) - log_rest; }
  double log_sum_exp() const noexcept { return top + log_rest; }
};

// Needs at least one score. Does not change them.
LogNormalizer log_normalizer(std::span<const double> scores, ReferenceClass reference) noexcept;

// Overwrites scores with probabilities; the reference's own is exp(result.log_probability(0)). Take ln p of
// the label from its score before the call: result.log_probability(score).
LogNormalizer apply_softmax(std::span<double> scores, ReferenceClass reference) noexcept;

// Overwrites scores[0, count) with factor · (p_c − [c = label]), a label ≥ count being the reference. Numbers beyond, up
// to a multiple of eight, become 0: the array must have room for them. Returns −ln p of the label.
double apply_softmax_residuals(double* scores, std::size_t count, ReferenceClass reference, std::size_t label,
                               double factor) noexcept;

// Overwrites scores with ln p.
LogNormalizer apply_log_softmax(std::span<double> scores, ReferenceClass reference) noexcept;

// Two classes, many rows: probabilities[i] = σ(scores[i]); the two may be the same array.
void sigmoids(std::span<const double> scores, std::span<double> probabilities) noexcept;

// Two classes, many rows: out[i] = ln(1 + e^x[i]); the two may be the same array.
void log1p_exps(std::span<const double> x, std::span<double> out) noexcept;

}  // namespace lazylogit::math
