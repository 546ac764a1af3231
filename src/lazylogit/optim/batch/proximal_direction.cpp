#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {
namespace {

double soft_threshold(double x, double by) noexcept {
  return std::copysign(std::max(0.0, std::abs(x) - by), x);
}

}  // namespace

void proximal_direction(Descent& descent, math::Vector& direction) {
  constexpr int most_sweeps = 300;
  objective::Objective& objective = descent.objective();
  const std::size_t size = objective.size();
  const Point& point = descent.point();
  const auto slopes = objective.slopes();
  const auto kinks = objective.kinks();
  const auto fixed = objective.fixed();
  math::Vector matrix(size * size), slope(point.gradient), start(size), now(size);
  objective.set_curvature_point(point.b);
  objective.hessian_matrix(matrix);
  for (std::size_t i = 0; i < size; ++i) now[i] = start[i] = point.b[i] - (kinks.empty() ? 0.0 : kinks[i]);

  // One coordinate of the model to its minimum; `slope` is kept as gradient + H·(now − start).
  const auto improve = [&](std::size_t i) {
    const double h = matrix[i * size + i];
    if ((!fixed.empty() && fixed[i]) || !(h > 0)) return 0.0;
    const double next = soft_threshold(now[i] - slope[i] / h, slopes[i] / h);
    const double change = next - now[i];
    if (change == 0) return 0.0;
    now[i] = next;
    const double* row = matrix.data() + i * size;
    for (std::size_t k = 0; k < size; ++k) slope[k] += change * row[k];
    return std::abs(change) * std::sqrt(h);
  };
  double first = 0;
  bool whole = true;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double largest = 0;
    for (std::size_t i = 0; i < size; ++i)
      if (whole || now[i] != 0) largest = std::max(largest, improve(i));
    if (sweep == 0) first = largest;
    if (largest <= 1e-7 * first) {
      if (whole) break;
      whole = true;  // the support has settled: look at all coordinates once more
    } else {
      whole = sweep % 8 == 0;
    }
  }
  direction.resize(size);
  for (std::size_t i = 0; i < size; ++i) direction[i] = now[i] - start[i];
}

}  // namespace lazylogit::optim
