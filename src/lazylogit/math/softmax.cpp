#include "lazylogit/math/softmax.hpp"

#include <algorithm>
#include <array>

#include "lazylogit/math/elementary.hpp"
#include "lazylogit/math/row_exponentials.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::math {
namespace {

double least_top(ReferenceClass reference) noexcept {
  return reference == ReferenceClass::present ? 0.0 : -HUGE_VAL;
}

}  // namespace

LogNormalizer log_normalizer(std::span<const double> scores, ReferenceClass reference) noexcept {
  constexpr std::size_t piece = 256;  // any number of classes needs no memory
  std::array<double, piece> copy;
  const double least = least_top(reference);
  const double top = top_score(scores.data(), scores.size(), least);
  ExpSum sum;
  for (std::size_t i = 0; i < scores.size(); i += piece) {
    const std::size_t count = std::min(piece, scores.size() - i);
    std::copy_n(scores.data() + i, count, copy.data());
    const ExpSum part = apply_exp(copy.data(), count, top);
    sum.below += part.below;
    sum.ties += part.ties;
  }
  return {top, std::log1p(with_rest(sum, top, least).rest)};
}

LogNormalizer apply_softmax(std::span<double> scores, ReferenceClass reference) noexcept {
  const double least = least_top(reference);
  const double top = top_score(scores.data(), scores.size(), least);
  const TopAndRest row = with_rest(apply_exp(scores.data(), scores.size(), top), top, least);
  multiply(scores.data(), scores.size(), 1 / (1 + row.rest));
  return {top, std::log1p(row.rest)};
}

double apply_softmax_residuals(double* scores, std::size_t count, ReferenceClass reference, std::size_t label,
                               double factor) noexcept {
  const double own = label < count ? scores[label] : 0.0;
  const TopAndRest row = apply_residuals(scores, count, least_top(reference), label, factor);
  return -LogNormalizer{row.top, std::log1p(row.rest)}.log_probability(own);
}

LogNormalizer apply_log_softmax(std::span<double> scores, ReferenceClass reference) noexcept {
  const LogNormalizer result = log_normalizer(scores, reference);
  for (double& score : scores) score = result.log_probability(score);
  return result;
}

LAZYLOGIT_TARGET_CLONES void sigmoids(std::span<const double> scores,
                                      std::span<double> probabilities) noexcept {
  const double* in = scores.data();
  double* out = probabilities.data();
  const std::size_t count = scores.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double s = in[i];
    const double e = exp_nonpositive(-std::fabs(s));
    out[i] = (s >= 0 ? 1.0 : e) / (1.0 + e);
  }
}

LAZYLOGIT_TARGET_CLONES void log1p_exps(std::span<const double> x, std::span<double> out) noexcept {
  const double* in = x.data();
  double* to = out.data();
  const std::size_t count = x.size();
  for (std::size_t i = 0; i < count; ++i) {
    const double v = in[i];
    to[i] = (v > 0 ? v : 0.0) + log1p_unit(exp_nonpositive(-std::fabs(v)));
  }
}

}  // namespace lazylogit::math
