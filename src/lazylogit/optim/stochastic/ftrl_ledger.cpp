#include "lazylogit/optim/stochastic/ftrl_ledger.hpp"

namespace lazylogit::optim {
namespace {

// ∫ (u − l1 τ)/(h + l2 τ) over a stretch where the numerator is positive.
double unbounded(double u, double h, double l1, double l2, double from, double to) noexcept {
  const double length = to - from;
  if (!(length > 0)) return 0;
  const double bottom = h + l2 * from, top = u - l1 * from;  // at its beginning
  const double x = l2 * length / bottom;
  if (x > 0.1) return ((top + l1 * bottom / l2) * std::log1p(x) - l1 * length) / l2;
  // The logarithm cancels: Gauss–Legendre with five points, exact to rounding for so short a stretch.
  constexpr double nodes[] = {0, 0.5384693101056831, 0.9061798459386640};
  constexpr double weights[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const auto value = [&](double t) { return (top - l1 * t) / (bottom + l2 * t); };
  double sum = weights[0] * value(0.5 * length);
  for (int k = 1; k < 3; ++k)
    sum += weights[k] * (value(0.5 * length * (1 - nodes[k])) + value(0.5 * length * (1 + nodes[k])));
  return 0.5 * length * sum;
}

}  // namespace

double LeaderPath::integral(double from, double to, Interval interval) const noexcept {
  const double size = std::abs(u);
  const double zero = l1 > 0 ? std::max(from, std::min(to, size / l1)) : to;  // 0 from here on
  const double first = interval.clamp(at(from)), last = interval.clamp(at(to));
  if (first == at(from) && last == at(to)) return std::copysign(unbounded(size, h, l1, l2, from, zero), u);
  if (first == last) return first * (to - from);
  // |b| falls: outside the interval first, then inside, then outside again. Both ends by bisection.
  const auto moment = [&](double value) {
    double low = from, high = to;
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      if (middle == low || middle == high) break;
      (std::abs(at(middle)) > std::abs(value) ? low : high) = middle;
    }
    return high;
  };
  const double enter = first == at(from) ? from : moment(first);
  const double leave = last == at(to) ? to : moment(last);
  return first * (enter - from) + last * (to - leave) +
         std::copysign(unbounded(size, h, l1, l2, enter, std::max(enter, std::min(zero, leave))), u);
}

}  // namespace lazylogit::optim
