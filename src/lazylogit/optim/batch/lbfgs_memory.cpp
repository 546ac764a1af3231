#include "lazylogit/optim/batch/lbfgs_memory.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t pair_block_size = 8192;

// Σ a_i b_i in eight interleaved sums.
template <class A, class B>
inline __attribute__((always_inline)) double dot_of(const A* a, const B* b, std::size_t count) noexcept {
  double sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (std::size_t l = 0; l < 8; ++l)
      sums[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
  for (; i < count; ++i) sums[i % 8] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

LAZYLOGIT_TARGET_CLONES double dot_floats(const float* a, const float* b, std::size_t count) noexcept {
  return dot_of(a, b, count);
}
LAZYLOGIT_TARGET_CLONES double dot_mixed(const float* a, const double* b, std::size_t count) noexcept {
  return dot_of(a, b, count);
}
LAZYLOGIT_TARGET_CLONES void add_scaled_floats(double factor, const float* a, double* sum,
                                               std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) sum[i] += factor * static_cast<double>(a[i]);
}
LAZYLOGIT_TARGET_CLONES void multiply(double factor, const double* a, const double* b, double* out,
                                      std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) out[i] = factor * a[i] * b[i];
}

// Runs body(begin, end, sums) over blocks of positions; the `width` sums of all blocks are added in order.
template <class Body>
std::vector<double> block_sums(std::size_t size, std::size_t width, const Body& body) {
  const std::size_t blocks = num_blocks_of(size, pair_block_size);
  std::vector<double> parts(blocks * width, 0.0), sums(width, 0.0);
  parallel_blocks(blocks, [&](std::size_t k) {
    body(k * pair_block_size, std::min(size, (k + 1) * pair_block_size), parts.data() + k * width);
  });
  for (std::size_t k = 0; k < parts.size(); ++k) sums[k % width] += parts[k];
  return sums;
}

}  // namespace

LbfgsMemory::LbfgsMemory(std::size_t most_pairs, math::Vector inverse_diagonal)
    : most_pairs_(most_pairs),
      inverse_root_(std::move(inverse_diagonal)),
      pairs_(most_pairs),
      step_change_(most_pairs * most_pairs),
      change_change_(most_pairs * most_pairs) {
  for (double& d : inverse_root_) d = std::sqrt(d);
}

void LbfgsMemory::add(const Point& before, const Point& after) {
  const std::size_t size = inverse_root_.size();
  const auto squares = block_sums(size, 1, [&](std::size_t begin, std::size_t end, double* sum) {
    for (std::size_t i = begin; i < end; ++i) {
      const double s = (after.b[i] - before.b[i]) / inverse_root_[i];
      sum[0] += s * s;
    }
  });
  const double length = std::sqrt(squares[0]);
  if (!(length > 0) || !std::isfinite(length)) return;
  const bool full = count_ == most_pairs_;
  // The oldest pair's place is taken; the pair comes to stand last.
  if (full) first_ = (first_ + 1) % most_pairs_;
  const std::size_t last = full ? count_ - 1 : count_;
  Pair& newest = pair(last);
  newest.step.resize(size);
  newest.change.resize(size);
  // ŝ·ŷⱼ, ŷ·ŝⱼ and ŷ·ŷⱼ for the older pairs, then ŝ·ŷ, ŷ·ŷ and ŝ·ŝ.
  const auto products = block_sums(size, 3 * last + 3, [&](std::size_t begin, std::size_t end, double* sums) {
    float* s = newest.step.data();
    float* y = newest.change.data();
    for (std::size_t i = begin; i < end; ++i) {
      const double root = inverse_root_[i];
      s[i] = static_cast<float>((after.b[i] - before.b[i]) / (root * length));
      y[i] = static_cast<float>((after.gradient[i] - before.gradient[i]) * root / length);
    }
    const std::size_t count = end - begin;
    for (std::size_t j = 0; j < last; ++j) {
      const Pair& old = pair(j);
      sums[3 * j] = dot_floats(s + begin, old.change.data() + begin, count);
      sums[3 * j + 1] = dot_floats(y + begin, old.step.data() + begin, count);
      sums[3 * j + 2] = dot_floats(y + begin, old.change.data() + begin, count);
    }
    sums[3 * last] = dot_floats(s + begin, y + begin, count);
    sums[3 * last + 1] = dot_floats(y + begin, y + begin, count);
    sums[3 * last + 2] = dot_floats(s + begin, s + begin, count);
  });
  count_ = last;
  const double along = products[3 * last], square = products[3 * last + 1];
  if (!(along > 1e-7 * std::sqrt(square * products[3 * last + 2])) || !std::isfinite(square)) return;
  for (std::size_t j = 0; j < last; ++j) {
    product(step_change_, last, j) = products[3 * j];
    product(step_change_, j, last) = products[3 * j + 1];
    product(change_change_, last, j) = product(change_change_, j, last) = products[3 * j + 2];
  }
  product(step_change_, last, last) = along;
  product(change_change_, last, last) = square;
  ++count_;
}

void LbfgsMemory::direction(const math::Vector& gradient, math::Vector& direction) {
  const std::size_t size = inverse_root_.size(), pairs = count_;
  direction.resize(size);
  const auto with_gradient = block_sums(
      size, std::max<std::size_t>(1, 2 * pairs), [&](std::size_t begin, std::size_t end, double* sums) {
        const std::size_t count = end - begin;
        double* scaled = direction.data() + begin;  // ĝ
        multiply(1, gradient.data() + begin, inverse_root_.data() + begin, scaled, count);
        for (std::size_t j = 0; j < pairs; ++j) {
          sums[2 * j] = dot_mixed(pair(j).step.data() + begin, scaled, count);
          sums[2 * j + 1] = dot_mixed(pair(j).change.data() + begin, scaled, count);
        }
      });
  // The two loops, on the factors of q = ĝ·of_gradient + Σ ŷ·of_change + Σ ŝ·of_step.
  std::vector<double> of_step(pairs, 0.0), of_change(pairs, 0.0), a(pairs);
  for (std::size_t k = pairs; k-- > 0;) {
    double along = with_gradient[2 * k];
    for (std::size_t j = k + 1; j < pairs; ++j) along += of_change[j] * product(step_change_, k, j);
    a[k] = along / product(step_change_, k, k);
    of_change[k] = -a[k];
  }
  const double scale = pairs == 0 ? 1.0
                                  : product(step_change_, pairs - 1, pairs - 1) /
                                        product(change_change_, pairs - 1, pairs - 1);
  for (double& factor : of_change) factor *= scale;
  for (std::size_t k = 0; k < pairs; ++k) {
    double along = scale * with_gradient[2 * k + 1];
    for (std::size_t j = 0; j < pairs; ++j) along += of_change[j] * product(change_change_, k, j);
    for (std::size_t j = 0; j < k; ++j) along += of_step[j] * product(step_change_, j, k);
    of_step[k] = a[k] - along / product(step_change_, k, k);
  }
  block_sums(size, 1, [&](std::size_t begin, std::size_t end, double*) {
    const std::size_t count = end - begin;
    double* d = direction.data() + begin;
    for (std::size_t i = 0; i < count; ++i) d[i] *= scale;
    for (std::size_t k = 0; k < pairs; ++k) {
      add_scaled_floats(of_step[k], pair(k).step.data() + begin, d, count);
      add_scaled_floats(of_change[k], pair(k).change.data() + begin, d, count);
    }
    multiply(-1, d, inverse_root_.data() + begin, d, count);
  });
}

}  // namespace lazylogit::optim
