#include "lazylogit/bayes/polya_gamma.hpp"

#include <cmath>
#include <numbers>

namespace lazylogit::bayes {
namespace {

using std::numbers::pi;

// Where the two forms of the density's series meet; the left form is used below, the right one above.
constexpr double middle = 0.64;

double exponential(Random& random) { return -std::log1p(-random.uniform()); }
double normal_below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// Term n of the series of the density of 4ω.
double term(int n, double x) {
  const double k = n + 0.5;
  if (x > middle) return pi * k * std::exp(-0.5 * k * k * pi * pi * x);
  const double root = 2 / (pi * x);
  return pi * k * root * std::sqrt(root) * std::exp(-2 * k * k / x);
}

// The probability of proposing from the tail. z ≥ 0.
double tail_share(double z) {
  const double rate = pi * pi / 8 + z * z / 2;
  const double log_tail = std::log(pi / (2 * rate)) - rate * middle;
  const double root = std::sqrt(1 / middle);
  double ratio = 2 * std::exp(-z - log_tail) * normal_below(root * (middle * z - 1));
  // Beyond 20 the second part is less than e^{−100} of the first.
  if (z < 20) ratio += 2 * std::exp(z - log_tail) * normal_below(-root * (middle * z + 1));
  return 1 / (1 + ratio);
}

// An inverse Gaussian of mean 1/z and shape 1, below `middle`.
double truncated_inverse_gaussian(double z, Random& random) {
  if (z * middle < 1) {
    for (;;) {
      double e, f;
      do {
        e = exponential(random);
        f = exponential(random);
      } while (e * e > 2 * f / middle);
      const double x = middle / ((1 + middle * e) * (1 + middle * e));
      if (random.uniform() <= std::exp(-0.5 * z * z * x)) return x;
    }
  }
  const double mean = 1 / z;
  for (;;) {
    const double normal = random.normal(), y = mean * normal * normal;
    double x = mean * (1 + 0.5 * (y - std::sqrt(y * (4 + y))));
    // For large y the difference cancels; the other root is its inverse.
    if (!(x > 0)) x = mean / (1 + 0.5 * (y + std::sqrt(y * (4 + y))));
    if (random.uniform() > mean / (mean + x)) x = mean * mean / x;
    if (x <= middle) return x;
  }
}

}  // namespace

double draw_polya_gamma(double z, Random& random) {
  z = 0.5 * std::abs(z);
  const double rate = pi * pi / 8 + z * z / 2, share = tail_share(z);
  for (;;) {
    const double x = random.uniform() < share ? middle + exponential(random) / rate
                                              : truncated_inverse_gaussian(z, random);
    double sum = term(0, x);
    const double level = random.uniform() * sum;
    for (int n = 1;; ++n) {
      if (n % 2 == 1) {
        sum -= term(n, x);
        if (level <= sum) return 0.25 * x;
      } else {
        sum += term(n, x);
        if (level > sum) break;
      }
    }
  }
}

double draw_polya_gamma(std::uint64_t n, double z, Random& random) {
  double sum = 0;
  for (std::uint64_t k = 0; k < n; ++k) sum += draw_polya_gamma(z, random);
  return sum;
}

}  // namespace lazylogit::bayes
