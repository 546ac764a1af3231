// Columns that are far from 0 against their spread, moved there: seconds since 1970 of rows of one day.
//
// With free intercepts x − m in place of x moves these alone (centering.hpp), so that the problem is the same one; but in
// x the column is hardly another one than that of the intercept, and what tells them apart drowns in the rounding of sums.
// Means of such columns (a thousand deviations and more) are taken off in a copy of the rows, exactly: x − m has no
// rounding for m/2 ≤ x ≤ 2m.
//
// Coefficients of the copy are "shifted": to_centered of those of the rows as they are. Rows of weight 0 are empty there.
// Cost: a look at some rows; where these suggest such a column, four passes in order and the copy.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

class ShiftedColumns {
 public:
  // Nothing where there is no such column, some intercept has a prior or is missing, or columns are centred already.
  static std::unique_ptr<const ShiftedColumns> of(const Problem& problem);

  // Refers to what the given problem refers to besides rows, and to this.
  Problem problem() const;
  math::Vector shifted(std::span<const double> b) const;
  math::Vector original(std::span<const double> b) const;

 private:
  Problem original_;
  data::SparseMatrix x_;
  std::vector<double> centers_;  // 0 for columns that stay
};

}  // namespace lazylogit::objective
