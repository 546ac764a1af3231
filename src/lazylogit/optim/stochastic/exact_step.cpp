#include "lazylogit/optim/stochastic/exact_step.hpp"

#include <cmath>

#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {

double gain_of_exact_step(const FitRequest& request, std::span<const double> b) {
  FitRequest exact;
  exact.problem = request.problem;
  exact.start = b;
  exact.cancel = request.cancel;
  Descent descent(exact);
  const double before = descent.point().error;
  math::Vector direction = inverse_diagonal(descent);
  for (std::size_t i = 0; i < direction.size(); ++i) direction[i] *= -descent.point().pseudo()[i];
  if (!(before != 0) || !descent.search(direction, 1, SearchRule::armijo())) return 0;
  return (before - descent.point().error) / std::abs(before);
}

}  // namespace lazylogit::optim
