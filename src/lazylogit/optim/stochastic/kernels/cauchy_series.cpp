#include "lazylogit/optim/stochastic/kernels/cauchy_series.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace lazylogit::optim {
namespace {

using Polynomial = std::vector<double>;  // in m or 1 − m, lowest power first

void add_product(const Polynomial& a, const Polynomial& b, double factor, Polynomial& to) {
  if (a.empty() || b.empty()) return;
  to.resize(std::max(to.size(), a.size() + b.size() - 1), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) to[i + j] += factor * a[i] * b[j];
}

// D_1 … D_count in powers of 1 − m: the reversal of s = δ + Σ_{j≥2} β_j δ^j, with [s^n] Σ_j β_j δ^j = 0 for n ≥ 2.
// No polynomial is followed beyond (1 − m)^reach.
std::vector<Polynomial> reversed(std::size_t count, std::size_t reach) {
  std::vector<Polynomial> beta(count + 1);
  for (std::size_t j = 2; j <= count; ++j) {
    const double sign = j % 2 == 0 ? -1 : 1, share = sign / static_cast<double>(j);
    beta[j] = {j == 2 ? -0.5 : share, j == 2 ? 1.0 : -share};  // ½ − m and ±m/j, in powers of 1 − m
  }
  // power[j][n] = [s^n] δ^j
  std::vector<std::vector<Polynomial>> power(count + 1, std::vector<Polynomial>(count + 1));
  power[1][1] = {1.0};
  for (std::size_t n = 2; n <= count; ++n) {
    for (std::size_t j = 2; j <= n; ++j)
      for (std::size_t i = 1; i + j <= n + 1; ++i)
        add_product(power[1][i], power[j - 1][n - i], 1, power[j][n]);
    for (std::size_t j = 2; j <= n; ++j) add_product(beta[j], power[j][n], -1, power[1][n]);
    for (std::size_t j = 1; j <= n; ++j) power[j][n].resize(std::min(power[j][n].size(), reach + 1));
  }
  return power[1];
}

// Lowers the degree of p on [0, end]: the multiple of Chebyshev's polynomial that takes away the highest power
// changes p least.
void economise(Polynomial& p, std::size_t degree, double end) {
  while (p.size() > degree + 1) {
    const std::size_t n = p.size() - 1;
    Polynomial before{1.0}, chebyshev{-1.0, 2 / end};  // T_0 and T_1 of 2x/end − 1
    for (std::size_t i = 1; i < n; ++i) {
      Polynomial next;
      add_product({-2.0, 4 / end}, chebyshev, 1, next);
      for (std::size_t j = 0; j < before.size(); ++j) next[j] -= before[j];
      before = std::exchange(chebyshev, std::move(next));
    }
    const double factor = p[n] / chebyshev[n];
    for (std::size_t j = 0; j < n; ++j) p[j] -= factor * chebyshev[j];
    p.pop_back();
  }
  p.resize(degree + 1, 0.0);
}

// From powers of 1 − m to powers of m.
Polynomial reflected(const Polynomial& p) {
  Polynomial result;
  for (std::size_t i = p.size(); i-- > 0;) {  // Horner's rule
    Polynomial next;
    add_product(result, {1.0, -1.0}, 1, next);
    next.resize(std::max<std::size_t>(next.size(), 1), 0.0);
    next[0] += p[i];
    result = std::move(next);
  }
  return result;
}

enum class Variable { m, one_minus_m };

// `end`: the largest x. `reach`: the highest power of 1 − m that matters before the degree is lowered.
template <class Shared>
void fill(Shared& shared, Variable variable, double end, std::size_t reach) {
  const std::vector<Polynomial> d = reversed(Shared::powers, reach);
  for (std::size_t j = 1; j <= Shared::powers; ++j) {
    Polynomial column(j, 0.0);  // (1 − m)^j D_j
    column.insert(column.end(), d[j].begin(), d[j].end());
    column.resize(std::min(column.size(), reach + 1));
    if (variable == Variable::m) column = reflected(column);
    economise(column, Shared::degree, end);
    for (std::size_t i = 0; i <= Shared::degree; ++i) shared.a[i][j - 1] = column[i];
  }
}

}  // namespace

const CauchySeries& cauchy_series() {
  static const CauchySeries series = [] {
    CauchySeries s{};
    fill(s.brief, Variable::m, 1.0, 2 * s.brief.powers);
    fill(s.middle, Variable::m, 1.0, 2 * s.middle.powers);
    fill(s.lasting, Variable::one_minus_m, s.long_reach / (1 + s.long_reach), 20);
    return s;
  }();
  return series;
}

}  // namespace lazylogit::optim
