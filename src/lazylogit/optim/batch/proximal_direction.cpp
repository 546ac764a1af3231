#include "lazylogit/optim/batch/kinked_quadratic.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {

void proximal_direction(Descent& descent, math::Vector& direction) {
  objective::Objective& objective = descent.objective();
  const std::size_t size = objective.size();
  const Point& point = descent.point();
  const auto kinks = objective.kinks();
  math::Vector matrix(size * size), start(size);
  objective.set_curvature_point(point.b);
  objective.hessian_matrix(matrix);
  for (std::size_t i = 0; i < size; ++i) start[i] = point.b[i] - (kinks.empty() ? 0.0 : kinks[i]);
  direction = minimum_of({.matrix = matrix,
                          .gradient = point.gradient,
                          .start = start,
                          .slopes = objective.slopes(),
                          .fixed = objective.fixed()},
                         1e-7, [&] { return descent.stopped(); });
}

}  // namespace lazylogit::optim
