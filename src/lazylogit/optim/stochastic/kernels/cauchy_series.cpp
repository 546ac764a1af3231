#include "lazylogit/optim/stochastic/kernels/cauchy_series.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace lazylogit::optim {
namespace {

using Real = long double;
using Polynomial = std::vector<Real>;  // lowest power first

// flow(b)/b − 1: Newton's iteration rises to the root y of y + v (1 − e^{−y}) = c from the lower end of its bracket.
Real change(Real v, Real c) {
  Real y = c / (1 + v);
  for (int i = 0; i < 12; ++i) {
    const Real em = std::expm1(-y);
    y -= (y - v * em - c) / (1 + v * (1 + em));
  }
  return std::expm1(-y / 2);
}

struct RealInterval {
  Real low, high;
  Real at(Real z) const { return low + (high - low) * (z + 1) / 2; }  // z in [−1, 1]
};

std::vector<Real> chebyshev_points(std::size_t count) {
  std::vector<Real> points(count);
  for (std::size_t k = 0; k < count; ++k)
    points[k] =
        std::cos(std::numbers::pi_v<Real> * static_cast<Real>(2 * k + 1) / static_cast<Real>(2 * count));
  return points;
}

// The polynomial in x with these values at Chebyshev's points of the interval.
Polynomial through(const std::vector<Real>& values, RealInterval interval) {
  const std::size_t count = values.size();
  const std::vector<Real> points = chebyshev_points(count);
  const Real width = interval.high - interval.low;
  const Polynomial z{-(interval.high + interval.low) / width, 2 / width};  // x in terms of [−1, 1]
  const auto times_z = [&](const Polynomial& p) {
    Polynomial result(p.size() + 1, 0);
    for (std::size_t i = 0; i < p.size(); ++i) {
      result[i] += z[0] * p[i];
      result[i + 1] += z[1] * p[i];
    }
    return result;
  };
  Polynomial sum(count, 0), before{0}, now{1};  // T_{k−1}, T_k
  for (std::size_t k = 0; k < count; ++k) {
    Real factor = 0;
    for (std::size_t i = 0; i < count; ++i)
      factor += values[i] * std::cos(static_cast<Real>(k) * std::acos(points[i]));
    factor *= (k == 0 ? Real{1} : Real{2}) / static_cast<Real>(count);
    for (std::size_t i = 0; i < now.size(); ++i) sum[i] += factor * now[i];
    Polynomial next = times_z(now);
    for (std::size_t i = 0; i < next.size(); ++i)
      next[i] = (k == 0 ? 1 : 2) * next[i] - (i < before.size() ? before[i] : 0);
    before = now;
    now = next;
  }
  return sum;
}

// put(i, j, a_ij) for the polynomial Σ a_ij x^i t^j nearest to value(x, t).
template <class Value, class Put>
void fit(std::size_t terms, RealInterval xs, std::size_t powers, RealInterval ts, Value&& value, Put&& put) {
  std::vector<Polynomial> at_time;  // in x
  for (const Real tz : chebyshev_points(powers)) {
    std::vector<Real> values;
    for (const Real xz : chebyshev_points(terms)) values.push_back(value(xs.at(xz), ts.at(tz)));
    at_time.push_back(through(values, xs));
  }
  for (std::size_t i = 0; i < terms; ++i) {
    std::vector<Real> values;
    for (const Polynomial& p : at_time) values.push_back(p[i]);
    const Polynomial in_time = through(values, ts);
    for (std::size_t j = 0; j < powers; ++j) put(i, j, static_cast<double>(in_time[j]));
  }
}

template <class Table>
void fill(Table& table, double end) {
  fit(
      Table::terms, {0, 1}, Table::powers, {0, static_cast<Real>(end)},
      [](Real m, Real c) { return change(1 / m - 1, c) / (m * c); },
      [&](std::size_t i, std::size_t j, double a) { table.a[j][i] = a; });
}

}  // namespace

const CauchySeries& cauchy_series() {
  static const std::unique_ptr<const CauchySeries> series = [] {
    auto s = std::make_unique<CauchySeries>();
    fill(s->brief, s->brief_end);
    fill(s->middle, s->middle_end);
    fill(s->lasting, s->long_end);
    for (std::size_t stretch = 0; stretch < s->stretches; ++stretch)
      fit(
          s->small_terms, {0, s->small_reach}, s->small_powers, {-0.5L, 0.5L},
          [&](Real v, Real u) {
            return change(v, (static_cast<Real>(stretch) + u + 0.5L) / s->stretches_per_unit);
          },
          [&](std::size_t i, std::size_t j, double a) { s->small[stretch][j][i] = a; });
    return s;
  }();
  return *series;
}

}  // namespace lazylogit::optim
