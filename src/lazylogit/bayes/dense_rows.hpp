// The rows of a small problem as one dense matrix, for methods that need all of them at every step.
#pragma once

#include <cstddef>
#include <vector>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::bayes {

// Rows of weight 0 are left out.
struct DenseRows {
  std::size_t num_rows = 0, num_columns = 0;  // columns: features, then the intercept
  std::vector<double> x;                      // column by column
  std::vector<double> weights, offsets;       // offsets: of the one vector's score; 0 where there are none
  std::vector<ClassId> labels;
};

// Whether the matrix has a reasonable size: at most so many columns, and 10⁸ entries.
bool fits_dense_rows(const objective::Problem& problem, std::size_t most_columns);
DenseRows make_dense_rows(const objective::Problem& problem);

}  // namespace lazylogit::bayes
