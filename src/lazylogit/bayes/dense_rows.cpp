#include "lazylogit/bayes/dense_rows.hpp"

namespace lazylogit::bayes {

bool fits_dense_rows(const objective::Problem& problem, std::size_t most_columns) {
  constexpr double most_entries = 1e8;
  const std::size_t columns = problem.shape.num_rows();
  return columns <= most_columns &&
         static_cast<double>(problem.x->num_rows()) * static_cast<double>(columns) <= most_entries;
}

DenseRows make_dense_rows(const objective::Problem& problem) {
  DenseRows dense;
  std::vector<std::size_t> rows;
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j)
    if (problem.weight(j) > 0) rows.push_back(j);
  dense.num_rows = rows.size();
  dense.num_columns = problem.shape.num_rows();
  dense.x.assign(dense.num_rows * dense.num_columns, 0.0);
  problem.x->visit_rows([&](const auto& view) {
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const auto row = view.row(rows[r]);
      for (std::size_t k = 0; k < row.size(); ++k)
        dense.x[static_cast<std::size_t>(row.ids[k]) * dense.num_rows + r] += row.value(k);
      if (problem.shape.has_intercept) dense.x[problem.shape.num_features * dense.num_rows + r] = 1;
      dense.weights.push_back(problem.weight(rows[r]));
      dense.labels.push_back(problem.labels[rows[r]]);
      // An offset belongs to the second class; the one vector may be that of the first.
      const double sign = problem.shape.class_of(0) == 1 ? 1.0 : -1.0;
      dense.offsets.push_back(problem.offsets.empty() ? 0.0 : sign * problem.offsets[rows[r]]);
    }
  });
  return dense;
}

}  // namespace lazylogit::bayes
