// The data part of the error and its derivatives, by passes over sharded rows.
//
//   L(b)            = −Σ_j w_j log p(c_j | x_j, b)
//   ∂L/∂b_{i,c}     = Σ_j w_j x_{j,i} (p_c − I(c_j = c))
//   (∇²L v)_{i,c}   = Σ_j w_j x_{j,i} p_c (u_c − Σ_a p_a u_a),   u = scores of v
//
// Second derivatives are taken at the point of the last `remember`, which keeps one number per row for one
// vector, and the probabilities of all rows for several as long as they fit in `probability_limit`; beyond it
// they are computed again from the point. Rows of weight 0 are skipped. Cost of each call: one pass.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/objective/shards.hpp"

namespace lazylogit::objective {

class Likelihood {
 public:
  explicit Likelihood(const Problem& problem);

  double value(const double* b) const;
  double value_and_gradient(const double* b, double* gradient);  // overwrites the gradient
  void remember(const double* b);
  void hessian_vector(const double* v, double* out);
  void hessian_diagonal(double* out);
  void hessian_matrix(double* out);  // size × size, row-major
  // Σ_j w_j KL(q_j ‖ p_j) with p the model's distributions at b and q_j = τ((1−ε) p_j + ε r) + (1−τ) y_j, y_j
  // the label as a distribution: how far a dual point is from the model's own. `r` has one entry per class.
  double mixture_divergence(const double* b, double tau, double epsilon, std::span<const double> r) const;
  // out = Σ_j w_j x_j (r − y_j): the gradient a model would have that gave every row the distribution r.
  void constant_residual(std::span<const double> r, double* out);
  const Problem& problem() const noexcept { return problem_; }
  const Shards& shards() const noexcept { return shards_; }

  // Doubles kept for probabilities at most (1 GiB).
  static constexpr std::size_t probability_limit = std::size_t{1} << 27;

 private:
  // Runs body(shard, buffer) for every shard with a cleared buffer, then adds the buffers into `out`.
  template <class Body>
  void sharded_sum(double* out, std::size_t size, const Body& body);
  // The probabilities of the vectors of a row at the remembered point.
  template <class View>
  const double* probabilities(const View& rows, std::size_t row, double* scratch) const;
  template <class View>
  void add_diagonal(const View& rows, std::size_t shard, double* out) const;
  template <class View>
  void add_matrix(const View& rows, std::size_t shard, double* out) const;

  Problem problem_;
  Shards shards_;
  std::vector<math::Vector> buffers_;  // one per shard beyond the first
  math::Vector remembered_;            // probabilities, row by row (stride); or of the one vector
  math::Vector point_;                 // the remembered point, when probabilities are not kept
};

}  // namespace lazylogit::objective
