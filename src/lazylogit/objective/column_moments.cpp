#include "lazylogit/objective/column_moments.hpp"

#include <cmath>

namespace lazylogit::objective {

ColumnMoments column_moments(const Problem& problem) {
  const std::size_t size = problem.shape.num_features;
  ColumnMoments found{std::vector<double>(size, 0.0), std::vector<double>(size, 0.0)};
  double total = 0;
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j) total += problem.weight(j) != 0 ? 1 : 0;
  std::vector<double> absent(size, total);
  const auto visit_entries = [&](const auto& body) {
    problem.x->visit_rows([&](const auto& rows) {
      for (std::size_t j = 0; j < rows.num_rows; ++j) {
        if (problem.weight(j) == 0) continue;
        const auto row = rows.row(j);
        for (std::size_t k = 0; k < row.size(); ++k) body(row.ids[k], row.value(k));
      }
    });
  };
  // Differences to the first value, so that those of a constant are exactly 0.
  std::vector<double> first(size, 0.0), sums(size, 0.0);
  visit_entries([&](std::size_t i, double x) {
    if (absent[i] == total) first[i] = x;
    sums[i] += x - first[i];
    absent[i] -= 1;
  });
  for (std::size_t i = 0; i < size && total > 0; ++i)
    found.means[i] = first[i] + (sums[i] - absent[i] * first[i]) / total;
  visit_entries(
      [&](std::size_t i, double x) { found.deviations[i] += (x - found.means[i]) * (x - found.means[i]); });
  for (std::size_t i = 0; i < size && total > 0; ++i)
    found.deviations[i] =
        std::sqrt((found.deviations[i] + absent[i] * found.means[i] * found.means[i]) / total);
  return found;
}

bool intercepts_are_free(const model::Shape& shape, std::span<const std::uint8_t> free) {
  for (std::size_t v = 0; v < shape.num_vectors() && shape.has_intercept; ++v)
    if (!free[shape.intercept_index(v)]) return false;
  return shape.has_intercept;
}

}  // namespace lazylogit::objective
