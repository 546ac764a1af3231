// ClassRows: the softmax of several classes, and one score for two.
#include <algorithm>
#include <cstring>
#include <span>

#include "lazylogit/math/softmax.hpp"
#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/math/target_clones.hpp"
#include "lazylogit/objective/row_losses.hpp"
#include "lazylogit/objective/row_scores.hpp"

namespace lazylogit::objective {
namespace {

// One vector; `sign` is +1 where the vector's class is the label, else −1.
void residuals_of_one(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                      double* losses) noexcept {
  const std::size_t count = end - begin;
  const ClassId of_vector = problem.shape.class_of(0);
  for (std::size_t k = 0; k < count; ++k) losses[k] = problem.labels[begin + k] == of_vector ? -s[k] : s[k];
  math::log1p_exps({losses, count}, {losses, count});
  math::sigmoids({s, count}, {s, count});
  for (std::size_t k = 0; k < count; ++k) {
    const double w = problem.weight(begin + k);
    if (w == 0) {
      losses[k] = s[k] = 0;
      continue;
    }
    losses[k] *= w;
    s[k] = w * (s[k] - (problem.labels[begin + k] == of_vector ? 1.0 : 0.0));
  }
}

// u ← w p (u − p·u) over `Width`-wide blocks; the sum is over interleaved lanes, then over lanes in order.
template <std::size_t Width>
LAZYLOGIT_ALWAYS_INLINE void product_of_row(const double* p, double* u, std::size_t stride,
                                            double w) noexcept {
  using Lane = typename math::Lanes<Width>::Type;
  Lane sums{};
  for (std::size_t c = 0; c < stride; c += Width) {
    Lane a, x;
    std::memcpy(&a, p + c, sizeof a);
    std::memcpy(&x, u + c, sizeof x);
    sums += a * x;
  }
  double mean = 0;
  for (std::size_t l = 0; l < Width; ++l) mean += sums[l];
  for (std::size_t c = 0; c < stride; c += Width) {
    Lane a, x;
    std::memcpy(&a, p + c, sizeof a);
    std::memcpy(&x, u + c, sizeof x);
    x = w * a * (x - mean);
    std::memcpy(u + c, &x, sizeof x);
  }
}

LAZYLOGIT_TARGET_CLONES void products_of_rows(const double* p, double* u, const double* weights,
                                              std::size_t rows, std::size_t stride) noexcept {
  for (std::size_t k = 0; k < rows; ++k) {
    const double w = weights == nullptr ? 1.0 : weights[k];
    if (stride == 2)
      product_of_row<2>(p + 2 * k, u + 2 * k, 2, w);
    else if (stride == 4)
      product_of_row<4>(p + 4 * k, u + 4 * k, 4, w);
    else
      product_of_row<8>(p + stride * k, u + stride * k, stride, w);
  }
}

LAZYLOGIT_TARGET_CLONES void products_of_one(const double* p, double* u, const double* weights,
                                             std::size_t rows) noexcept {
  if (weights == nullptr)
    for (std::size_t k = 0; k < rows; ++k) u[k] *= p[k] * (1 - p[k]);
  else
    for (std::size_t k = 0; k < rows; ++k) u[k] *= weights[k] * (p[k] * (1 - p[k]));
}

}  // namespace

void ClassRows::residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                          double* losses) noexcept {
  const model::Shape& shape = problem.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  if (stride == 1) return residuals_of_one(problem, begin, end, s, losses);
  for (std::size_t j = begin; j < end; ++j, s += stride) {
    const double w = problem.weight(j);
    if (w == 0) {
      std::fill_n(s, stride, 0.0);
      losses[j - begin] = 0;
      continue;
    }
    const std::size_t label = label_vector(shape, problem.labels[j]);
    losses[j - begin] = w * softmax_loss(s, vectors, label, shape.reference.has_value(), nullptr);
    if (label != no_vector) s[label] -= 1;
    if (w != 1)
      for (std::size_t c = 0; c < vectors; ++c) s[c] *= w;
  }
}

void ClassRows::kept(const Problem& problem, std::size_t begin, std::size_t end, double* s) noexcept {
  const model::Shape& shape = problem.shape;
  const std::size_t stride = shape.stride();
  if (stride == 1) return math::sigmoids({s, end - begin}, {s, end - begin});
  for (std::size_t j = begin; j < end; ++j, s += stride)
    softmax_loss(s, shape.num_vectors(), 0, shape.reference.has_value(), nullptr);
}

void ClassRows::kept_of_residuals(const Problem& problem, std::size_t begin, std::size_t end,
                                  double* r) noexcept {
  const model::Shape& shape = problem.shape;
  const std::size_t stride = shape.stride(), vectors = shape.num_vectors();
  for (std::size_t j = begin; j < end; ++j, r += stride) {
    const double w = problem.weight(j);
    if (w == 0) continue;
    if (w != 1)
      for (std::size_t c = 0; c < vectors; ++c) r[c] /= w;
    const std::size_t label = label_vector(shape, problem.labels[j]);
    if (label != no_vector) r[label] += 1;
  }
}

void ClassRows::products(const Problem& problem, std::size_t begin, std::size_t end, const double* p,
                         double* u) noexcept {
  const double* weights = problem.weights.empty() ? nullptr : problem.weights.data() + begin;
  if (problem.shape.stride() == 1)
    products_of_one(p, u, weights, end - begin);
  else
    products_of_rows(p, u, weights, end - begin, problem.shape.stride());
}

void ClassRows::variances(const Problem& problem, std::size_t begin, std::size_t end, const double* p,
                          double* h) noexcept {
  const std::size_t stride = problem.shape.stride();
  for (std::size_t j = begin; j < end; ++j)
    for (std::size_t c = 0; c < stride; ++c, ++p, ++h) *h = problem.weight(j) * *p * (1 - *p);
}

}  // namespace lazylogit::objective
