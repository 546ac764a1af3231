// What a prior does to a coefficient over a stretch of missed examples, and how fast it acts under adaptive rates
// (gradient_steps.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "lazylogit/prior/gaussian.hpp"
#include "lazylogit/prior/prior.hpp"

namespace lazylogit::optim {

template <prior::Prior P>
double flow_for(const P& prior, double b, double time) noexcept {
  if (b == 0 || time == 0) return b;
  if constexpr (std::is_same_v<P, prior::Gaussian>) {
    const double a = time * prior.precision;
    // e^{−a} to the last bit or two where the series is shorter than the library's function.
    if (a < 1e-3) return b * (1 - a * (1 - a * (0.5 - a * (1.0 / 6 - a * (1.0 / 24)))));
  }
  return prior.flow(b, time);
}

// 1/(s² √G) in units of the learning rate; `inverse` is 1/s.
inline double adaptive_speed(double squares, double inverse) noexcept {
  return squares > 0 ? std::min(inverse * (inverse / std::sqrt(squares)), 1e300) : 0;
}

}  // namespace lazylogit::optim
