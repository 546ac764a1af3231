// Where coefficients may lie: bounds for each, or a ball for all of them.
//
//   bounds     lower_i ≤ b_i ≤ upper_i, by projection after each step. A prior pulls a coefficient one way, so its path
//              within the bounds is the unbounded path, stopped at a bound: that composes like the flow itself and the
//              lazy form stays exact.
//   max_norm   Σ b² ≤ R² over all coefficients but intercepts and pinned ones, by scaling them. The norm is known
//              only when all are caught up, so this is done whenever as many non-zeros have been visited as there are
//              coefficients (a constant factor on the cost of an example), and before every result.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/prior/prior.hpp"

namespace lazylogit::optim {

struct Bounds {  // in the layout of model/shape.hpp; ±∞: none
  math::Vector lower, upper;
};

struct Interval {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double clamp(double b) const noexcept { return std::min(std::max(b, lower), upper); }
  Interval relative_to(double mean) const noexcept { return {lower - mean, upper - mean}; }
};

struct Constraints {
  const Bounds* bounds = nullptr;  // must outlive whoever uses this
  std::optional<double> max_norm = {};

  bool any() const noexcept { return bounds != nullptr || max_norm.has_value(); }
  Interval at(std::size_t i) const noexcept {
    return bounds == nullptr ? Interval{} : Interval{bounds->lower[i], bounds->upper[i]};
  }
};

// ∫₀ˢ of the flow from b (within the interval), stopped at its ends. All relative to the prior's mean.
template <prior::Prior P>
double flow_integral_within(const P& p, double b, double s, Interval interval) {
  const double end = p.flow(b, s), stop = interval.clamp(end);
  if (stop == end) return p.flow_integral(b, s);
  double low = 0, high = s;  // the time of arrival at `stop`
  for (int i = 0; i < 100 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (interval.clamp(p.flow(b, middle)) == stop ? high : low) = middle;
  }
  return p.flow_integral(b, high) + stop * (s - high);
}

}  // namespace lazylogit::optim
