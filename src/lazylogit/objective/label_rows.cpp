// LabelRows: a sigmoid for each label.
#include <algorithm>
#include <array>

#include "lazylogit/math/softmax.hpp"
#include "lazylogit/math/target_clones.hpp"
#include "lazylogit/objective/row_losses.hpp"

namespace lazylogit::objective {
namespace {

LAZYLOGIT_TARGET_CLONES void products_of_row(const double* p, double* u, double w,
                                             std::size_t stride) noexcept {
  for (std::size_t c = 0; c < stride; ++c) u[c] *= w * (p[c] * (1 - p[c]));
}

// Σ_c log(1 + e^{s_c}), a few at a time.
double sum_of_losses(const double* s, std::size_t count) noexcept {
  std::array<double, 64> part;
  double sum = 0;
  for (std::size_t from = 0; from < count; from += part.size()) {
    const std::size_t size = std::min(part.size(), count - from);
    math::log1p_exps({s + from, size}, {part.data(), size});
    for (std::size_t c = 0; c < size; ++c) sum += part[c];
  }
  return sum;
}

}  // namespace

void LabelRows::residuals(const Problem& problem, std::size_t begin, std::size_t end, double* s,
                          double* losses) noexcept {
  const std::size_t stride = problem.shape.stride(), labels = problem.shape.num_vectors();
  for (std::size_t j = begin; j < end; ++j, s += stride) {
    const double w = problem.weight(j);
    if (w == 0) {
      std::fill_n(s, stride, 0.0);
      losses[j - begin] = 0;
      continue;
    }
    // log(1 + e^{−s}) = log(1 + e^s) − s would cancel, so a label's own score is turned round and back.
    const auto own = (*problem.label_sets)[j];
    for (const ClassId c : own) s[c] = -s[c];
    losses[j - begin] = w * sum_of_losses(s, labels);
    for (const ClassId c : own) s[c] = -s[c];
    math::sigmoids({s, labels}, {s, labels});
    for (const ClassId c : own) s[c] -= 1;
    if (w != 1)
      for (std::size_t c = 0; c < labels; ++c) s[c] *= w;
  }
}

void LabelRows::kept(const Problem& problem, std::size_t begin, std::size_t end, double* s) noexcept {
  const std::size_t stride = problem.shape.stride(), labels = problem.shape.num_vectors();
  for (std::size_t j = begin; j < end; ++j, s += stride) math::sigmoids({s, labels}, {s, labels});
}

void LabelRows::kept_of_residuals(const Problem& problem, std::size_t begin, std::size_t end,
                                  double* r) noexcept {
  const std::size_t stride = problem.shape.stride(), labels = problem.shape.num_vectors();
  for (std::size_t j = begin; j < end; ++j, r += stride) {
    const double w = problem.weight(j);
    if (w == 0) continue;
    if (w != 1)
      for (std::size_t c = 0; c < labels; ++c) r[c] /= w;
    for (const ClassId c : (*problem.label_sets)[j]) r[c] += 1;
  }
}

void LabelRows::products(const Problem& problem, std::size_t begin, std::size_t end, const double* p,
                         double* u) noexcept {
  const std::size_t stride = problem.shape.stride();
  for (std::size_t j = begin; j < end; ++j, p += stride, u += stride)
    products_of_row(p, u, problem.weight(j), stride);
}

void LabelRows::variances(const Problem& problem, std::size_t begin, std::size_t end, const double* p,
                          double* h) noexcept {
  const std::size_t stride = problem.shape.stride(), labels = problem.shape.num_vectors();
  for (std::size_t j = begin; j < end; ++j, p += stride, h += stride)
    for (std::size_t c = 0; c < stride; ++c) h[c] = c < labels ? problem.weight(j) * p[c] * (1 - p[c]) : 0.0;
}

}  // namespace lazylogit::objective
