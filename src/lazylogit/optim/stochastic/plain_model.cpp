#include "lazylogit/optim/stochastic/plain_model.hpp"

#include <cmath>
#include <vector>

#include "lazylogit/objective/intercept_levels.hpp"
#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::optim {

PlainModel plain_model(const objective::Problem& problem, const Constraints& constraints) {
  PlainModel plain{.coefficients = math::Vector(problem.shape.size(), 0.0)};
  math::Vector& b = plain.coefficients;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = constraints.at(i).clamp(problem.prior->mean(i));
  const std::vector<double> levels = objective::intercept_levels(problem);
  for (std::size_t v = 0; v < levels.size(); ++v) {
    const std::size_t i = problem.shape.intercept_index(v);
    if (!problem.prior->pinned(i) && std::isfinite(levels[v])) b[i] = constraints.at(i).clamp(levels[v]);
  }
  plain.error = objective::evaluate_error(problem, b).error();
  return plain;
}

}  // namespace lazylogit::optim
