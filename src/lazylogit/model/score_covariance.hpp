// The covariance of a row's scores under a model's posterior: what predictions with uncertainty are made of.
//
//   S_{ab} = Σ_{i,j} x_i x_j Cov(b_{i,a}, b_{j,b}),   the intercept's x being 1
//
// Cost per row with z entries and v vectors: z·v (diagonal), z·v·rank (low-rank), (z·v)²/2 (full).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/model/model.hpp"

namespace lazylogit::model {

class ScoreCovariance {
 public:
  // The model must have a posterior other than samples and outlive this.
  explicit ScoreCovariance(const Model& model);

  std::size_t num_vectors() const noexcept { return vectors_; }
  // Reusable space of one thread.
  struct Scratch {
    std::vector<double> sums, matrix;
    math::AlignedVector<double> variances;
    math::AlignedVector<float> factors;
    std::vector<std::uint32_t> position, vector;
    std::vector<double> value;
  };
  // out[c] = Var(s_c − s_top) of every class; the reference's score is 0 and certain. All that a moderated probability
  // needs, without the v × v matrix: z·v (diagonal), z·v·rank (low-rank).
  template <class Value>
  void differences(const data::RowView<Value>& row, ClassId top, double* out, Scratch& scratch) const;
  // out: v × v, row-major, symmetric.
  template <class Value>
  void operator()(const data::RowView<Value>& row, double* out, Scratch& scratch) const;

 private:
  template <class Value>
  void add_full(const data::RowView<Value>& row, double* out, Scratch& scratch) const;
  template <class Value>
  void add_variances(const data::RowView<Value>& row, Scratch& scratch) const;
  template <class Value>
  void add_factors(const data::RowView<Value>& row, Scratch& scratch) const;
  template <class Value>
  void subtract_factor(const data::RowView<Value>& row, double* out, Scratch& scratch) const;

  const Model& model_;
  const PosteriorApproximation& posterior_;
  std::size_t vectors_;
  math::Vector base_;                    // diagonal, low-rank: variances before the factor
  std::vector<std::uint32_t> position_;  // full: place of a coordinate among those that take part
};

}  // namespace lazylogit::model
