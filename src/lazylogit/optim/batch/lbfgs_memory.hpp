// The memory of L-BFGS: the last pairs of steps s and changes of the gradient y, and −H g from them.
//
// In the metric D (a positive diagonal) with ŝ = D^{1/2} s, ŷ = D^{−1/2} y the inverse Hessian starts as
// H₀ = γ D⁻¹, γ = ŝᵀŷ/ŷᵀŷ of the last pair. −H g is a combination of the pairs and g, so the two loops run on
// the scalar products of those (kept as a small matrix), and every vector is read twice per direction: once for
// its products with the new gradient, once for the sum. Pairs are kept in single precision, scaled to ‖ŝ‖ = 1;
// the products are those of the rounded pairs, so H stays positive definite. Threads change no byte.
#pragma once

#include <cstddef>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/batch/descent.hpp"

namespace lazylogit::optim {

class LbfgsMemory {
 public:
  LbfgsMemory(std::size_t most_pairs, math::Vector inverse_diagonal);

  bool empty() const noexcept { return count_ == 0; }
  void clear() noexcept { count_ = 0; }
  // Keeps the step between two points unless it shows no positive curvature.
  void add(const Point& before, const Point& after);
  // direction = −H gradient.
  void direction(const math::Vector& gradient, math::Vector& direction);

 private:
  struct Pair {
    math::AlignedVector<float> step, change;
  };
  Pair& pair(std::size_t k) noexcept { return pairs_[(first_ + k) % most_pairs_]; }  // 0: the oldest
  double& product(std::vector<double>& of, std::size_t i, std::size_t j) noexcept {
    return of[(first_ + i) % most_pairs_ * most_pairs_ + (first_ + j) % most_pairs_];
  }

  std::size_t most_pairs_;
  math::Vector inverse_root_;  // D^{−1/2}
  std::vector<Pair> pairs_;
  std::size_t first_ = 0, count_ = 0;
  std::vector<double> step_change_, change_change_;  // ŝᵢ·ŷⱼ, ŷᵢ·ŷⱼ, by place in pairs_
};

}  // namespace lazylogit::optim
