// What the duals of two and of several classes (dual_ascent.hpp) know of rows.
#pragma once

#include <vector>

#include "lazylogit/data/row_length.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::optim {

// Over the rows of an epoch, each as it was when it was visited.
struct DualSums {
  double gap = 0;   // Σ_j w_j KL(q_j ‖ p_j)
  double loss = 0;  // −log likelihood
};

// a_j = w_j (σ² |x_j|² + the variance of an intercept) of every row.
inline std::vector<double> row_pulls(const objective::Problem& problem, double variance,
                                     double intercept_variance) {
  std::vector<double> pulls(problem.x->num_rows());
  problem.x->visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < pulls.size(); ++j)
      pulls[j] = problem.weight(j) * (variance * data::squared_length(rows.row(j)) + intercept_variance);
  });
  return pulls;
}

}  // namespace lazylogit::optim
