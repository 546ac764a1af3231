// The skeletons of passes that the .cpp files of Likelihood share; nobody else includes this.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/objective/likelihood.hpp"
#include "lazylogit/objective/row_blocks.hpp"

namespace lazylogit::objective {

double sum_in_order(const std::vector<double>& parts);

// q ln(q/p) − q + p for q = p + delta: never negative, and without cancellation when delta is small.
inline double divergence_term(double p, double delta) noexcept {
  const double q = p + delta;
  if (q <= 0) return p;
  if (p <= 0) return HUGE_VAL;
  const double ratio = delta / p;
  if (std::abs(ratio) < 1e-4) return p * ratio * ratio * (0.5 - ratio / 6);
  return q * std::log1p(ratio) - delta;
}

// g += Σ_j x_j r_jᵀ over the rows [begin, end), the intercept's row included.
template <class View>
void scatter_block(const model::Shape& shape, const View& rows, std::size_t begin, std::size_t end,
                   const double* r, double* g) noexcept {
  const std::size_t stride = shape.stride();
  if (stride == 1) {
    const bool ahead = prefetching_pays(rows, shape.num_features);
    for (std::size_t j = begin; j < end; ++j) {
      if (ahead && j + 1 < end) prefetch_row(rows.row(j + 1), g);
      if (r[j - begin] != 0) scatter_one(rows.row(j), r[j - begin], g);
    }
  } else {
    for (std::size_t j = begin; j < end; ++j) {
      const double* own = r + (j - begin) * stride;
      if (std::any_of(own, own + stride, [](double value) { return value != 0; }))
        scatter(rows.row(j), own, stride, g);
    }
  }
  if (!shape.has_intercept) return;
  double* intercept = g + shape.num_features * stride;
  for (std::size_t k = 0; k < end - begin; ++k)
    for (std::size_t c = 0; c < stride; ++c) intercept[c] += r[k * stride + c];
}

template <class Body>
void Likelihood::sharded_sum(double* out, std::size_t size, const Body& body) {
  std::vector<double*> targets{out};
  buffers_.resize(shards_.count() - 1);
  for (auto& buffer : buffers_) {
    buffer.resize(size);
    targets.push_back(buffer.data());
  }
  parallel_blocks(shards_.count(), [&](std::size_t shard) {
    std::fill_n(targets[shard], size, 0.0);
    body(shard, targets[shard]);
  });
  add_in_order(targets, size);
}

template <class Body>
void Likelihood::for_blocks(std::size_t shard, const Body& body) const {
  const std::span<const std::uint64_t> ends = problem_.choice_ends;
  const std::size_t last = shards_.end(shard);
  math::Vector scratch(block_rows_ * problem_.shape.stride());
  for (std::size_t begin = shards_.begin(shard), end = begin; begin < last; begin = end) {
    end = std::min(last, begin + block_rows_);
    if (!ends.empty()) end = static_cast<std::size_t>(*(std::upper_bound(ends.begin(), ends.end(), end) - 1));
    body(begin, end, scratch.data());
  }
}

template <class View>
const double* Likelihood::remembered(const View& rows, std::size_t begin, std::size_t end,
                                     double* scratch) const {
  if (keeps_rows()) return rows_.data() + begin * problem_.shape.stride();
  block_scores(problem_, rows, begin, end, point_.data(), true, scratch);
  probabilities(problem_, begin, end, scratch);
  return scratch;
}

}  // namespace lazylogit::objective
