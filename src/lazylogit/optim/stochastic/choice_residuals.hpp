// Choices as examples of stochastic training: an example is named by its first row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lazylogit/objective/problem.hpp"
#include "lazylogit/objective/row_losses.hpp"

namespace lazylogit::optim {

// One past the last row of the example that begins at `row`; rows that are no candidates stand for themselves.
inline std::size_t example_end(const objective::Problem& problem, std::size_t row) {
  if (problem.choice_ends.empty()) return row + 1;
  return static_cast<std::size_t>(
      *std::upper_bound(problem.choice_ends.begin(), problem.choice_ends.end(), row));
}

// Whether an example begins at `row`.
inline bool begins_example(const objective::Problem& problem, std::size_t row) {
  return problem.choice_ends.empty() || row == 0 ||
         std::binary_search(problem.choice_ends.begin(), problem.choice_ends.end(), row);
}

// Scores of the candidates (without offsets) → residuals; returns the weight times the loss.
inline double choice_residuals(const objective::Problem& problem, std::size_t row, std::vector<double>& s) {
  const std::size_t last = example_end(problem, row);
  if (!problem.offsets.empty())
    for (std::size_t j = row; j < last; ++j) s[j - row] += problem.offsets[j];
  std::vector<double> losses(s.size());
  objective::ChoiceRows::residuals(problem, row, last, s.data(), losses.data());
  return losses[0];
}

}  // namespace lazylogit::optim
