#include "lazylogit/prior/cauchy.hpp"

#include <algorithm>

namespace lazylogit::prior {
namespace {

// A start for Halley's iteration: ln v0 minus the logarithm of a rough Wright omega of z = v0 + ln v0 − c.
double start_log_ratio(double v0, double c) noexcept {
  if (v0 == 0 || c < 0.1 * v0) return c / (1 + v0);
  const double log_v0 = std::log(v0);
  const double z = (v0 - c) + log_v0;
  double log_omega;
  if (z > 2)
    log_omega = std::log(z - std::log(z));
  else if (z < -2)
    log_omega = z - std::exp(z);
  else
    log_omega = -0.5671432904 + z * (0.6381037434 - 0.07367 * z);  // quadratic about z = 0
  return log_v0 - log_omega;
}

}  // namespace

double cauchy_log_ratio(double v0, double c) noexcept {
  if (!(c > 0)) return 0;
  if (v0 > 1e150)
    return c < v0 ? -std::log1p(-c / v0) : std::log(v0 / c);  // b² falls by cλ²; the rest is negligible
  const double low = c / (1 + v0);
  double y = std::clamp(start_log_ratio(v0, c), low, c);
  for (int i = 0; i < 20; ++i) {
    const double decay = v0 * std::exp(-y);
    const double slope = 1 + decay;
    const double f = y - v0 * std::expm1(-y) - c;
    double step = f / slope;
    step /= 1 + 0.5 * step * decay / slope;
    const double next = std::clamp(y - step, low, c);
    const bool done = std::abs(next - y) <= 2e-16 * next;
    y = next;
    if (done) break;
  }
  return y;
}

double Cauchy::flow_integral(double b, double s) const noexcept {
  if (inverse_square == 0) return b * s;
  const double v0 = inverse_square * b * b;
  const double y = cauchy_log_ratio(v0, 4 * s * inverse_square);
  const double after = b * std::exp(-0.5 * y);
  const double drop = -b * std::expm1(-0.5 * y);
  return 0.5 * drop * ((b * b + b * after + after * after) / 3 + 1 / inverse_square);
}

// Minimises ½(x − b)² + h R(x). Stationary points solve x³ − b x² + (λ²+2h) x − b λ² = 0; with several the
// best one wins.
double Cauchy::prox(double b, double h) const noexcept {
  if (b == 0 || h == 0 || inverse_square == 0) return b;
  const double magnitude = std::abs(b);
  const auto objective = [&](double x) { return 0.5 * (x - magnitude) * (x - magnitude) + h * value(x); };
  // In units of λ: p(x) = x³ − m x² + (1 + 2g) x − m, all roots in [0, m].
  const double lambda = 1 / std::sqrt(inverse_square);
  const double m = magnitude / lambda, g = h * inverse_square;
  const auto p = [&](double x) { return ((x - m) * x + (1 + 2 * g)) * x - m; };
  const auto root_between = [&](double lo,
                                double hi) {  // p(lo) ≤ 0 ≤ p(hi) or the reverse; bisection to full precision
    const bool rising = p(hi) > 0;
    for (int i = 0; i < 200; ++i) {
      const double mid = 0.5 * (lo + hi);
      if (mid <= lo || mid >= hi) break;
      ((p(mid) > 0) == rising ? hi : lo) = mid;
    }
    return 0.5 * (lo + hi);
  };
  const double discriminant = m * m - 3 * (1 + 2 * g);
  if (discriminant <= 0) return std::copysign(root_between(0, m) * lambda, b);
  const double left = (m - std::sqrt(discriminant)) / 3, right = (m + std::sqrt(discriminant)) / 3;
  double best = -1, best_value = HUGE_VAL;
  const auto consider = [&](double lo, double hi) {
    if ((p(lo) > 0) == (p(hi) > 0)) return;
    const double x = root_between(lo, hi) * lambda;
    if (const double v = objective(x); v < best_value) best = x, best_value = v;
  };
  consider(0, left);
  consider(right, m);
  if (best < 0) consider(left, right);
  return std::copysign(best < 0 ? magnitude : best, b);
}

}  // namespace lazylogit::prior
