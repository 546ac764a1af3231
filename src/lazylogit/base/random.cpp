#include "lazylogit/base/random.hpp"

#include <cmath>
#include <numbers>

namespace lazylogit {

double Random::normal() noexcept {  // Box–Muller; the second value is dropped so that draws stay independent
                                    // of history
  const double radius = std::sqrt(-2 * std::log1p(-uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace lazylogit
