// The quantile of the standard normal distribution.
#pragma once

namespace lazylogit::math {

// x with Φ(x) = p, 0 < p < 1; to about 1e-15 relative. Not for inner loops.
double normal_quantile(double p) noexcept;

}  // namespace lazylogit::math
