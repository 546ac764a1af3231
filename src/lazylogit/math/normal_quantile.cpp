#include "lazylogit/math/normal_quantile.hpp"

#include <cmath>
#include <numbers>

namespace lazylogit::math {

double normal_quantile(double p) noexcept {
  if (p > 0.5) return -normal_quantile(1 - p);
  // Φ is convex below 0: Newton's method from the right of the root on ln Φ, which is concave, is safe after bisection.
  double low = -40, high = 0;
  for (int k = 0; k < 20; ++k) {
    const double middle = 0.5 * (low + high);
    (0.5 * std::erfc(-middle / std::numbers::sqrt2) < p ? low : high) = middle;
  }
  double x = 0.5 * (low + high);
  for (int k = 0; k < 4; ++k) {
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    if (density == 0) break;
    x -= (0.5 * std::erfc(-x / std::numbers::sqrt2) - p) / density;
  }
  return x;
}

}  // namespace lazylogit::math
