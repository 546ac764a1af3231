// The data part of the error and its derivatives, by passes over sharded rows.
//
//   L(b)            = −Σ_j w_j log p(c_j | x_j, b)
//   ∂L/∂b_{i,c}     = Σ_j w_j x_{j,i} (p_c − I(c_j = c))
//   (∇²L v)_{i,c}   = Σ_j w_j x_{j,i} p_c (u_c − Σ_a p_a u_a),   u = scores of v
//
// A pass scores rows and turns scores into residuals (row_blocks.hpp). How these reach the gradient depends on
// its size. Small: every shard of rows adds into a gradient of its own, and those are added in order. Large,
// with several vectors: by columns, g_i = Σ_j x_ji r_j, from a transposed copy of the data that is made at the
// first gradient; nothing is cleared or merged, and the residuals are far smaller than the gradient.
//
// With centers (centering.hpp) the rows are x − m; passes are over the rows as they are (private members `rows_…`), and
// points and results are mapped on the way (likelihood_centering.cpp).
//
// Second derivatives are taken at the point of the last `remember`, which is free right after the gradient of
// the same point. The probabilities of all rows are kept as long as they fit in `probability_limit`; beyond it
// they are computed again from the point. Rows of weight 0 count for nothing. Cost of each call: one pass.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/objective/row_holds.hpp"
#include "lazylogit/objective/shards.hpp"

namespace lazylogit::objective {

class Likelihood {
 public:
  explicit Likelihood(const Problem& problem);

  double value(const double* b) const;
  double value_and_gradient(const double* b, double* gradient);  // overwrites the gradient
  // Returns whether that took a pass.
  bool remember(const double* b);
  void hessian_vector(const double* v, double* out);
  // ∇²L V for a block of `columns` vectors, in single precision: one pass for all of them. v has for every row of the
  // layout (features, then the intercept) math::wide_width(vectors·columns) numbers: the columns of vector 0, those of
  // vector 1, …, then padding of 0. Calls sink(row of the layout, its products likewise) once for each, from several threads.
  using BlockSink = std::function<void(std::size_t row, const float* product)>;
  void hessian_block(const float* v, std::size_t columns, const BlockSink& sink);
  // How many columns such a block should have, at most `most`; 0: the problem is better served vector by vector.
  std::size_t block_columns(std::size_t most) const;
  void forget_block();  // frees what blocks need
  void hessian_diagonal(double* out);
  // size × size, row-major. Probabilities up to `least` may count as 0.
  void hessian_matrix(double* out, double least = 0);
  // Holds the rows (row_holds.hpp) whose loss at `trial` is above what the second derivatives at b, holds included,
  // foretell, by more than a millionth of what the step promised to gain; says how many they are. Of choices, whose rows
  // depend on each other, none. One pass.
  std::size_t hold(const double* b, const double* trial, double promised);
  void keep_holds(double share) { holds_.keep(share); }
  // Whether hessian_vector, hessian_diagonal and hessian_matrix take holds in.
  void use_holds(bool use) noexcept { use_holds_ = use; }
  // Multiply–adds of hessian_matrix, those of dense blocks counted as the fraction of time they take; with `least`, at the
  // remembered point.
  double matrix_cost(double least = 0) const;
  // Σ_j w_j KL(q_j ‖ p_j) with p the model's distributions at b and q_j = τ((1−ε) p_j + ε r) + (1−τ) y_j, y_j
  // the label as a distribution: how far a dual point is from the model's own. `r` has one entry per class.
  double mixture_divergence(const double* b, double tau, double epsilon, std::span<const double> r) const;
  // out = Σ_j w_j x_j (r − y_j): the gradient a model would have that gave every row the distribution r.
  void constant_residual(std::span<const double> r, double* out);
  // out = Σ_j w_j x_j r_v for every vector v: residuals that are the same in all rows. One pass.
  void add_constant(std::span<const double> r, double* out);
  // Labels: Σ_j w_j Σ_v KL(q_jv ‖ p_jv) of the two outcomes of each label, q = τ_v((1−ε_v) p + ε_v r_v) + (1−τ_v) y.
  struct LabelMixture {
    double tau = 1, epsilon = 0, r = 0;
  };
  double label_divergence(const double* b, std::span<const LabelMixture> mixtures) const;
  // Choices: Σ w KL(q ‖ p) over choices, q = τ p + (1 − τ) y.
  double choice_divergence(const double* b, double tau) const;
  const Problem& problem() const noexcept { return problem_; }
  const Shards& shards() const noexcept { return shards_; }

  // Doubles kept for probabilities at most (1 GiB).
  static constexpr std::size_t probability_limit = std::size_t{1} << 27;

 private:
  enum class Kept { nothing, residuals, probabilities };

  // Each as its namesake above, without centers.
  double rows_value(const double* b) const;
  double rows_gradient(const double* b, double* gradient);
  bool rows_remember(const double* b);
  void rows_hessian_vector(const double* v, double* out);
  void rows_hessian_diagonal(double* out);
  void rows_hessian_matrix(double* out, double least);
  double rows_divergence(const double* b, double tau, double epsilon, std::span<const double> r) const;
  void rows_constant_residual(std::span<const double> r, double* out);
  void rows_add_constant(std::span<const double> r, double* out);
  double rows_label_divergence(const double* b, std::span<const LabelMixture> mixtures) const;
  // out = Σ_j x_j h_jᵀ with h the variances w p (1 − p) at the remembered point, the intercept's row included.
  void rows_variances(double* out);
  std::size_t rows_hold(const double* b, const double* trial, double promised);
  bool is_centered() const noexcept { return !problem_.centers.empty(); }
  math::Vector original(const double* b) const;

  bool keeps_rows() const noexcept;
  void make_columns();
  // out = Xᵀ R plus the intercept's row, R the kept `table`; needs columns.
  void gather_columns(const math::Vector& table, double* out) const;
  // The intercept's row of that: Σ_j R_j.
  void sum_rows(const math::Vector& table, double* out) const;
  // Runs body(shard, buffer) for every shard with a cleared buffer, then adds the buffers into `out`.
  template <class Body>
  void sharded_sum(double* out, std::size_t size, const Body& body);
  // Runs body(first, last, scores) for the blocks of a shard; `scores` has room for a block.
  template <class Body>
  void for_blocks(std::size_t shard, const Body& body) const;
  // The probabilities of the rows [begin, end) at the remembered point.
  template <class View>
  const double* remembered(const View& rows, std::size_t begin, std::size_t end, double* scratch) const;
  template <class View>
  void add_sparse_matrix(const View& rows, std::size_t begin, std::size_t end, double least,
                         double* out) const;
  template <class View>
  void add_dense_matrix(const View& rows, std::size_t begin, std::size_t end, double* out) const;
  void add_active(std::span<const std::size_t> at, std::span<const double> x,
                  std::span<const std::size_t> active, const double* p, double total, double w,
                  double* out) const;
  bool dense_matrix() const;
  double active_cost(double least) const;
  bool holding() const noexcept { return use_holds_ && !holds_.empty(); }
  // The diagonal of the curvature of the rows [begin, end) from their probabilities, holds included.
  void held_variances(std::size_t begin, std::size_t end, const double* p, double* h) const;
  // u, the scores of a direction, becomes its products; `before` has room for as many numbers where rows are held.
  void held_products(std::size_t begin, std::size_t end, const double* p, double* u, double* before,
                     bool holding) const;
  // Choices: adds to the diagonal and to the whole of the Hessian, where they are asked for.
  void add_choice_curvature(double* diagonal, double* matrix);

  Problem problem_;
  bool by_columns_;
  std::size_t block_rows_;  // of a block at most; a choice is never cut
  Shards shards_;
  std::optional<data::SparseMatrix> columns_;  // transposed; made when first needed
  std::optional<Shards> column_shards_;
  std::vector<math::Vector> buffers_;  // one per shard beyond the first
  Kept kept_ = Kept::nothing;
  RowHolds holds_;
  bool use_holds_ = false;
  math::Vector rows_;                        // residuals or probabilities, row by row (stride)
  math::Vector product_;                     // by columns: rows of a Hessian–vector product
  math::AlignedVector<float> wide_product_;  // rows of a block of products
  math::Vector point_;                       // where rows_ were computed
};

}  // namespace lazylogit::objective
