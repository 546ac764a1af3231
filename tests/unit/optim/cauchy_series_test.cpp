#include "lazylogit/optim/stochastic/kernels/cauchy_series.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "lazylogit/base/random.hpp"
#include "lazylogit/prior/cauchy.hpp"

namespace lazylogit::optim {
namespace {

struct Shared {  // as in the header
  double em, factor, kappa, e;
  explicit Shared(double c)
      : em(std::expm1(-c / 2)), factor(std::exp(-c / 2)), kappa(std::expm1(c) / 2), e(std::exp(-c)) {}
};

template <class Polynomial>
double change(const Polynomial& polynomial, const Shared& shared, double x) {
  double sum = 0;
  for (std::size_t i = Polynomial::degree + 1; i-- > 0;) {
    double a = 0;
    for (std::size_t j = Polynomial::powers; j-- > 0;) a = (a + polynomial.a[i][j]) * shared.kappa;
    sum = sum * x + a;
  }
  return shared.em + shared.factor * sum;
}

// flow(b)/b − 1 for v = (b/λ)².
double exact(double v, double c) { return std::expm1(-0.5 * prior::cauchy_log_ratio(v, c)); }

TEST(CauchySeries, BriefAndMiddlingFlowsOfEveryCoefficient) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double v = std::exp(60 * random.uniform() - 40), share = random.uniform();
    const double brief = share * CauchySeries::brief_end, middle = share * CauchySeries::middle_end;
    const auto m = [&](double c) { return 1 / (1 + v * std::exp(-c)); };
    EXPECT_NEAR(change(cauchy_series().brief, Shared(brief), m(brief)), exact(v, brief), 1.2e-16) << v;
    EXPECT_NEAR(change(cauchy_series().middle, Shared(middle), m(middle)), exact(v, middle), 2.4e-16) << v;
  }
}

TEST(CauchySeries, LastingFlowsOfModerateCoefficients) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const double c = random.uniform() * CauchySeries::long_end;
    const Shared shared(c);
    const double reached = random.uniform() * CauchySeries::long_reach, v = reached / shared.e;
    const double x = reached / (1 + reached);
    EXPECT_NEAR(change(cauchy_series().lasting, shared, x), exact(v, c), 4e-16) << v << " for " << c;
  }
}

}  // namespace
}  // namespace lazylogit::optim
