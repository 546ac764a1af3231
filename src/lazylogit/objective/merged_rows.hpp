// Rows that are alike, taken together: equal features, label and offset count once, with the sum of their weights.
//
// The error is the same but for rounding, and every pass is as much shorter as there are fewer rows; tables of categories
// and counts repeat their rows often. Whether that pays is asked of a sample first. What is left stands in the order of
// first appearance, so that the same rows give the same problem.
#pragma once

#include <memory>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

class MergedRows {
 public:
  // Nothing where rows are few or hardly any are alike, or where they are no classes on their own.
  static std::unique_ptr<const MergedRows> of(const Problem& problem);

  // The problem of these rows; refers to what the given one refers to besides rows, and to this.
  Problem problem() const;

 private:
  Problem original_;
  data::SparseMatrix x_;
  std::vector<ClassId> labels_;
  std::vector<double> weights_, offsets_;
};

}  // namespace lazylogit::objective
