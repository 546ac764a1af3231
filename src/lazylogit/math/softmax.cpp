#include "lazylogit/math/softmax.hpp"

#include <algorithm>
#include <array>

#include "lazylogit/math/elementary.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::math {
namespace {

constexpr std::size_t lanes = 8;

// Position of the largest of `count` ≥ 1 scores (the first of equals); NaN is never larger.
std::size_t position_of_top(const double* scores, std::size_t count) noexcept {
  std::size_t best = 0;
  for (std::size_t i = 1; i < count; ++i)
    if (scores[i] > scores[best]) best = i;
  return best;
}

// e[i] = exp(scores[i] − top); returns their sum, taken in `lanes` interleaved parts that are added in order.
LAZYLOGIT_TARGET_CLONES double sum_of_exp(const double* scores, std::size_t count, double top,
                                          double* e) noexcept {
  std::array<double, lanes> parts{};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes)
    for (std::size_t l = 0; l < lanes; ++l) {
      const double value = exp_nonpositive(scores[i + l] - top);
      e[i + l] = value;
      parts[l] += value;
    }
  for (std::size_t l = 0; i < count; ++i, ++l) {
    e[i] = exp_nonpositive(scores[i] - top);
    parts[l] += e[i];
  }
  double sum = 0;
  for (const double part : parts) sum += part;
  return sum;
}

LAZYLOGIT_TARGET_CLONES void scale(double* values, std::size_t count, double factor) noexcept {
  for (std::size_t i = 0; i < count; ++i) values[i] *= factor;
}

struct Normalizer {
  double top;
  double rest;       // Σ exp(score − top) without the top's own 1
  std::size_t best;  // position of the top; `count` when it is the reference
};

// sum(from, to) gives Σ exp(score − top) over a stretch. Two stretches around the top keep its term out of
// the sum that log1p sees; the split depends on the scores alone.
template <class Sum>
Normalizer normalize(std::span<const double> scores, ReferenceClass reference, Sum&& sum) noexcept {
  const std::size_t count = scores.size();
  const std::size_t best = position_of_top(scores.data(), count);
  const bool with_zero = reference == ReferenceClass::present;
  if (with_zero && !(scores[best] > 0)) return {0.0, sum(0, count, 0.0), count};
  const double top = scores[best];
  const double not_finite = top - top;  // 0, or NaN for a score that is not finite
  const double rest =
      sum(0, best, top) + sum(best + 1, count, top) + (with_zero ? exp_nonpositive(-top) : 0.0);
  return {top, rest + not_finite, best};
}

}  // namespace

LogNormalizer log_normalizer(std::span<const double> scores, ReferenceClass reference) noexcept {
  const auto sum = [&](std::size_t from, std::size_t to, double top) {
    constexpr std::size_t piece = 256;  // any number of classes needs no memory
    std::array<double, piece> unused;
    double total = 0;
    for (std::size_t i = from; i < to; i += piece)
      total += sum_of_exp(scores.data() + i, std::min(piece, to - i), top, unused.data());
    return total;
  };
  const Normalizer n = normalize(scores, reference, sum);
  return {n.top, std::log1p(n.rest)};
}

LogNormalizer apply_softmax(std::span<double> scores, ReferenceClass reference) noexcept {
  double* e = scores.data();
  const auto sum = [&](std::size_t from, std::size_t to, double top) {
    return sum_of_exp(e + from, to - from, top, e + from);
  };
  const Normalizer n = normalize(scores, reference, sum);
  if (n.best < scores.size()) e[n.best] = 1.0;
  scale(e, scores.size(), 1.0 / (1.0 + n.rest));
  return {n.top, std::log1p(n.rest)};
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
