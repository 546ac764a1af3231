// The pieces of one training problem, by reference: data, shape of the parameters, prior. What objectives are
// made from.
//
//   error(b) = −Σ_j w_j log p(c_j | x_j, b) + Σ_i R_i(b_i − m_i)          (minimised; nats; a sum, never a
//   mean)
//
// What −log p is, shape.response says (row_losses.hpp). With choices it is one term per choice, whose rows all have its
// weight; the shape is that of two classes with one vector and no intercept.
//
// Everything referred to must outlive the problem. Rows of weight 0 are legal and count for nothing.
#pragma once

#include <cstdint>
#include <span>

#include "lazylogit/base/types.hpp"
#include "lazylogit/data/label_sets.hpp"
#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/model/shape.hpp"
#include "lazylogit/prior/prior_table.hpp"

namespace lazylogit::objective {

struct Problem {
  const data::SparseMatrix* x = nullptr;
  std::span<const ClassId> labels = {};         // classes: all known
  std::span<const double> targets = {};         // number: all finite
  const data::LabelSets* label_sets = nullptr;  // labels
  std::span<const double> weights = {};         // empty: all 1
  std::span<const double> offsets = {};         // empty: none; two classes with one vector, or a number
  std::span<const std::uint64_t> choice_ends =
      {};  // choices: rows are candidates, labels say which was taken (1)
  model::Shape shape = {};
  const prior::PriorTable* prior = nullptr;
  // One number per feature that is taken off its column, without ever writing it so (centering.hpp); empty: none. Needs
  // an intercept.
  std::span<const double> centers = {};

  double weight(std::size_t row) const noexcept { return weights.empty() ? 1.0 : weights[row]; }
};

}  // namespace lazylogit::objective
