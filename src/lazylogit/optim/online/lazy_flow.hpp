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

// Adaptive rates of streams: R, and ε of 1/√(ε + G). Without ε the first gradient of a coefficient, however small, takes a whole step:
// rare features of noisy data learn their first label by heart. Numbers, whose gradients have the units of the target, do without.
struct AdaptiveDefaults {
  double rate = 0.8, first_squares = 0.25;
};
constexpr AdaptiveDefaults adaptive_defaults(bool number) noexcept {
  return number ? AdaptiveDefaults{.rate = 0.6, .first_squares = 0} : AdaptiveDefaults{};
}

// 1/(s² √G) in units of the learning rate; `squares` is ε + G, `inverse` is 1/s.
inline double adaptive_speed(double squares, double inverse) noexcept {
  return squares > 0 ? std::min(inverse * (inverse / std::sqrt(squares)), 1e300) : 0;
}

}  // namespace lazylogit::optim
