// What the kink of |x| at 0 asks of numbers.
#pragma once

#include <algorithm>
#include <cmath>

namespace lazylogit::math {

inline double sign(double x) noexcept { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// The minimum over y of ½ (y − x)² + by |y|.
inline double soft_threshold(double x, double by) noexcept {
  return std::copysign(std::max(0.0, std::abs(x) - by), x);
}

}  // namespace lazylogit::math
