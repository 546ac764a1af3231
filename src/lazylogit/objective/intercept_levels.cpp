#include "lazylogit/objective/intercept_levels.hpp"

#include <cmath>

namespace lazylogit::objective {

std::vector<double> intercept_levels(const Problem& problem) {
  const model::Shape& shape = problem.shape;
  if (!shape.has_intercept) return {};
  const bool number = shape.response == data::Response::number;
  std::vector<double> totals(number ? 1 : shape.num_classes, 0.0), levels;
  double all = 0;
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j) {
    const double w = problem.weight(j);
    all += w;
    if (number)
      totals[0] += w * problem.targets[j];
    else if (shape.response == data::Response::labels)
      for (const ClassId c : (*problem.label_sets)[j]) totals[static_cast<std::size_t>(c)] += w;
    else
      totals[static_cast<std::size_t>(problem.labels[j])] += w;
  }
  if (number) return {totals[0] / all};
  double base = 0;
  if (shape.reference) {
    base = std::log(totals[static_cast<std::size_t>(*shape.reference)]);
  } else {
    for (const double t : totals) base += std::log(t) / static_cast<double>(totals.size());
  }
  for (std::size_t v = 0; v < shape.num_vectors(); ++v) {
    const double total = totals[static_cast<std::size_t>(shape.class_of(v))];
    levels.push_back(shape.response == data::Response::labels ? std::log(total / (all - total))
                                                              : std::log(total) - base);
  }
  return levels;
}

}  // namespace lazylogit::objective
