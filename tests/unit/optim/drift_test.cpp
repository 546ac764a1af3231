// The drift of saga's coefficients: against small steps, composition, rest, exact zeros.
#include "lazylogit/optim/stochastic/saga/drift.hpp"

#include <gtest/gtest.h>

#include "lazylogit/prior/elastic_net.hpp"
#include "lazylogit/prior/gaussian.hpp"
#include "lazylogit/prior/laplace.hpp"
#include "lazylogit/prior/uniform.hpp"

namespace lazylogit::optim {
namespace {

template <class P>
double small_steps(const P& p, double b, double g, double s) {
  constexpr int steps = 4000;
  const double h = s / steps;
  for (int i = 0; i < steps; ++i) b = p.flow(b - h * g, h);
  return b;
}

template <class P>
void check(const P& p, double tolerance) {
  for (const double b : {-1.5, -0.1, 0.0, 0.4, 2.0})
    for (const double g : {-2.0, -0.3, 0.0, 0.2, 1.7})
      for (const double s : {0.01, 0.3, 2.0}) {
        EXPECT_NEAR(drift(p, b, g, s), small_steps(p, b, g, s), tolerance)
            << p.name << " from " << b << " under " << g << " for " << s;
        EXPECT_NEAR(drift(p, drift(p, b, g, 0.4 * s), g, 0.6 * s), drift(p, b, g, s), tolerance);
        EXPECT_EQ(drift(p, b, g, 0.0), b);
      }
}

TEST(Drift, IsTheLimitOfSmallStepsAndComposes) {
  check(prior::Uniform{}, 1e-9);
  check(prior::Gaussian{0.7}, 4e-3);
  check(prior::Laplace{0.5}, 4e-3);
  check(prior::ElasticNet{0.5, 0.8}, 4e-3);
  check(prior::ElasticNet{0.5, 0}, 4e-3);
  check(prior::Cauchy::from_scale(0.8), 0.12);
}

TEST(Drift, ClosedFormsComposeToRounding) {
  for (const double b : {-1.5, 0.4, 2.0})
    for (const double g : {-2.0, 0.2, 1.7}) {
      const prior::ElasticNet net{0.5, 0.8};
      EXPECT_NEAR(drift(net, drift(net, b, g, 0.7), g, 0.9), drift(net, b, g, 1.6), 1e-14);
      const prior::Laplace laplace{0.5};
      EXPECT_NEAR(drift(laplace, drift(laplace, b, g, 0.7), g, 0.9), drift(laplace, b, g, 1.6), 1e-14);
    }
}

TEST(Drift, RestsAtTheOptimumAndAtKinks) {
  EXPECT_EQ(drift(prior::Laplace{0.5}, 0.0, 0.4, 3.0), 0.0);
  EXPECT_EQ(drift(prior::Laplace{0.5}, 0.2, 0.4, 100.0), 0.0);
  EXPECT_LT(drift(prior::Laplace{0.5}, 0.0, 0.6, 1.0), 0.0);
  const auto cauchy = prior::Cauchy::from_scale(1);
  EXPECT_EQ(drift(cauchy, 0.5, -cauchy.gradient(0.5), 50.0), 0.5);
  EXPECT_NEAR(drift(prior::Gaussian{2}, -0.3, 0.6, 5.0), -0.3, 1e-15);
}

}  // namespace
}  // namespace lazylogit::optim
