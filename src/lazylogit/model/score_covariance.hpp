// The covariance of a row's scores under a model's posterior: what predictions with uncertainty are made of.
//
//   S_{ab} = Σ_{i,j} x_i x_j Cov(b_{i,a}, b_{j,b}),   the intercept's x being 1
//
// Cost per row with z entries and v vectors: z·v (diagonal), z·v·rank (low-rank), (z·v)²/2 (full).
//
// Low rank: S = Σ x_i² base_i − g gᵀ with g = Σ x_i F_i, whose z·v·rank numbers are what a row costs. As
// ‖g_a − g_b‖ ≤ Σ |x_i| (‖F_ia‖ + ‖F_ib‖), a sum of z·v terms tells of many rows (of short or strongly regularized text) that the
// factor is next to nothing there: where it provably lowers no variance of a difference by more than `negligible` of it,
// `differences` leaves it out.
//
// A model of centred columns (Model::centers) has a covariance that is diagonal, but for the factor, in centred coordinates:
// Σ (x_i − m_i)² base_i, of which −2 Σ x_i m_i base_i is not in the variances.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/math/sparse_scores.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/model/predictor.hpp"

namespace lazylogit::model {

class ScoreCovariance {
 public:
  // The model must have a posterior other than samples and outlive this.
  explicit ScoreCovariance(const Model& model);

  std::size_t num_vectors() const noexcept { return vectors_; }
  // Reusable space of one thread.
  struct Scratch {
    std::vector<double> sums, matrix;
    math::Vector variances, cross;
    math::AlignedVector<float> factors, lengths;
    std::vector<float> sizes;
    std::vector<std::uint64_t> offsets;
    std::vector<std::uint32_t> position, vector;
    std::vector<double> value;
  };
  static constexpr double negligible = 0.02;  // standard deviations are then at most 1 % too large

  // What `differences` begins with, for all rows of a stretch at once: `stride` numbers for each. Nothing for full
  // covariances.
  template <class Value>
  void variances(const data::RowsView<Value>& rows, RowInterval interval, math::Vector& out,
                 Scratch& scratch) const;
  // out[c] = Var(s_c − s_top) of every class; the reference's score is 0 and certain. All that a moderated probability
  // needs, without the v × v matrix: z·v (diagonal), z·v·rank (low-rank) at most. `variances`: the row's.
  template <class Value>
  void differences(const data::RowView<Value>& row, ClassId top, const double* variances, double* out,
                   Scratch& scratch) const;
  // out: v × v, row-major, symmetric.
  template <class Value>
  void operator()(const data::RowView<Value>& row, double* out, Scratch& scratch) const;

 private:
  void add_factor_lengths();
  void add_cross(const math::RowRange& range, const double* values, math::Vector& out,
                 Scratch& scratch) const;
  template <class Value>
  void add_full(const data::RowView<Value>& row, double* out, Scratch& scratch) const;
  template <class Value>
  bool factor_is_negligible(const data::RowView<Value>& row, std::optional<std::size_t> own,
                            const double* variances, Scratch& scratch) const;
  template <class Value>
  void add_factors(const data::RowView<Value>& row, Scratch& scratch) const;
  template <class Value>
  void subtract_factor(const data::RowView<Value>& row, double* out, Scratch& scratch) const;

  const Model& model_;
  const PosteriorApproximation& posterior_;
  std::size_t vectors_;
  math::Vector base_;                    // diagonal, low-rank: variances before the factor
  math::Vector cross_;                   // with centers: −2 m base; else empty
  std::size_t width_ = 0;                // low-rank: numbers per feature of the next
  math::AlignedVector<float> lengths_;   // low-rank: ‖F‖ of every vector of every feature
  std::vector<std::uint32_t> position_;  // full: place of a coordinate among those that take part
};

}  // namespace lazylogit::model
