#include "lazylogit/objective/objective.hpp"

#include <cmath>

namespace lazylogit::objective {

double l1_part(const Objective& objective, std::span<const double> b) {
  const auto slopes = objective.slopes();
  const auto kinks = objective.kinks();
  double sum = 0;
  for (std::size_t i = 0; i < slopes.size(); ++i)
    sum += slopes[i] * std::abs(b[i] - (kinks.empty() ? 0.0 : kinks[i]));
  return sum;
}

}  // namespace lazylogit::objective
