#include "lazylogit/optim/stochastic/kernels/cauchy_series.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/random.hpp"
#include "lazylogit/prior/cauchy.hpp"

namespace lazylogit::optim {
namespace {

// flow(b)/b − 1 for v = (b/λ)².
double exact(double v, double c) { return std::expm1(-0.5 * prior::cauchy_log_ratio(v, c)); }

template <class Table>
double change(const Table& table, double m, double c) {
  double sum = 0;
  for (std::size_t i = Table::terms; i-- > 0;) {
    double a = 0;
    for (std::size_t j = Table::powers; j-- > 0;) a = (a + table.a[j][i]) * c;
    sum = (sum + a) * m;
  }
  return sum;
}

template <class Table>
void expect_changes(const Table& table, double end) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double v = std::exp(60 * random.uniform() - 40), c = end * random.uniform();
    EXPECT_NEAR(change(table, 1 / (1 + v), c), exact(v, c), 1.2e-16 * (1 + c)) << v << " for " << c;
  }
  EXPECT_EQ(change(table, 0.3, 0.0), 0);  // no time, no change
  for (std::size_t j = 0; j < Table::powers; ++j)
    for (std::size_t i = Table::terms; i < Table::padded; ++i) EXPECT_EQ(table.a[j][i], 0);
}

TEST(CauchySeries, ShortTimesAndAnyCoefficient) {
  expect_changes(cauchy_series().brief, CauchySeries::brief_end);
  expect_changes(cauchy_series().middle, CauchySeries::middle_end);
  expect_changes(cauchy_series().lasting, CauchySeries::long_end);
}

TEST(CauchySeries, LongerTimesAndSmallCoefficients) {
  Random random(1);
  for (int k = 0; k < 50000; ++k) {
    const double c = random.uniform() * CauchySeries::small_end,
                 v = random.uniform() * CauchySeries::small_reach;
    const double place = CauchySeries::stretches_per_unit * c;
    const auto& table = cauchy_series().small[static_cast<std::size_t>(place)];
    const double u = place - std::floor(place) - 0.5;
    double sum = 0;
    for (std::size_t i = CauchySeries::small_terms; i-- > 0;) {
      double a = 0;
      for (std::size_t j = CauchySeries::small_powers; j-- > 0;) a = a * u + table[j][i];
      sum = sum * v + a;
    }
    EXPECT_NEAR(sum, exact(v, c), 3e-16) << v << " for " << c;
  }
}

}  // namespace
}  // namespace lazylogit::optim
