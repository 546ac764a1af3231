// What prior/prior.hpp promises of value, constant, derivatives and prox, for every prior in the list.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "lazylogit/prior/prior_table.hpp"

namespace lazylogit::prior {
namespace {

std::vector<AnyPrior> proper_priors() {
  std::vector<AnyPrior> list;
  for (const double v : {1e-4, 0.3, 1.0, 2500.0}) {
    list.push_back(Gaussian::from_variance(v));
    list.push_back(Laplace::from_variance(v));
    list.push_back(Cauchy::from_scale(std::sqrt(v)));
  }
  return list;
}

std::vector<AnyPrior> all_priors() {
  std::vector<AnyPrior> list = proper_priors();
  list.insert(list.end(), {Uniform{}, ElasticNet{0.5, 2}, ElasticNet{0, 3}, ElasticNet{40, 0}, Gaussian{0},
                           Laplace{0}, Cauchy{0}, ElasticNet{0, 0}});
  return list;
}

constexpr double points[] = {-700, -3, -0.4, -1e-3, 2e-7, 0.03, 1, 12.5, 3e4};

template <class Body>
void for_each(const std::vector<AnyPrior>& list, const Body& body) {
  for (const AnyPrior& any : list)
    std::visit(
        [&](const auto& p) {
          SCOPED_TRACE(std::string(p.name) + " " + std::to_string(p.value(1)));
          body(p);
        },
        any);
}

TEST(PriorCalculus, DensitiesIntegrateToOne) {
  for_each(proper_priors(), [](const auto& p) {
    // Twice the half line by double-exponential quadrature, b = exp(½π sinh t): exact for heavy tails and kinks alike.
    constexpr double step = 1.0 / 128;
    double sum = 0;
    for (int k = -640; k <= 640; ++k) {
      const double t = k * step, half_pi = std::numbers::pi / 2;
      const double b = std::exp(half_pi * std::sinh(t));
      const double density = std::exp(-p.value(b) - p.normaliser());
      if (density > 0) sum += density * b * half_pi * std::cosh(t) * step;
    }
    EXPECT_NEAR(2 * sum, 1, 1e-10);
  });
}

TEST(PriorCalculus, ValueIsZeroAtTheModeEvenAndNeverNegative) {
  for_each(all_priors(), [](const auto& p) {
    EXPECT_EQ(p.value(0), 0);
    for (const double b : points) {
      EXPECT_GE(p.value(b), 0);
      EXPECT_EQ(p.value(-b), p.value(b));
      EXPECT_EQ(p.gradient(-b), -p.gradient(b));
      EXPECT_GE(p.gradient(b) * b, 0);  // downhill is towards the mode
    }
  });
}

TEST(PriorCalculus, GradientAndCurvatureAreDerivatives) {
  for_each(all_priors(), [](const auto& p) {
    for (const double b : points) {
      const double h = 1e-5 * std::abs(b);  // never across the kink at 0
      const double slope = (p.value(b + h) - p.value(b - h)) / (2 * h);
      EXPECT_NEAR(p.gradient(b), slope, 1e-6 * (std::abs(slope) + p.value(b) / std::abs(b))) << b;
      const double bend = (p.gradient(b + h) - p.gradient(b - h)) / (2 * h);
      EXPECT_NEAR(p.curvature(b), bend, 1e-6 * (std::abs(bend) + std::abs(p.gradient(b) / b))) << b;
    }
  });
}

TEST(PriorCalculus, SlopeIsHalfTheJumpOfTheGradient) {
  for_each(all_priors(), [](const auto& p) {
    EXPECT_EQ(p.gradient(0), 0);
    const double tiny = 1e-200;
    EXPECT_NEAR(p.slope(), (p.gradient(tiny) - p.gradient(-tiny)) / 2, 1e-12 * p.slope() + 1e-190);
  });
}

TEST(PriorCalculus, ProxMinimisesItsObjective) {
  for_each(all_priors(), [](const auto& p) {
    for (const double b : {-20.0, -0.6, 0.0, 1e-4, 0.3, 2.0, 35.0})
      for (const double h : {0.0, 1e-3, 0.2, 1.0, 30.0}) {
        const auto objective = [&](double x) { return 0.5 * (x - b) * (x - b) + h * p.value(x); };
        const double x = p.prox(b, h);
        EXPECT_LE(std::abs(x), std::abs(b));
        EXPECT_GE(x * b, 0);
        // Stationary: the slope there is 0, or 0 is the kink whose slopes hold it.
        const double pull = b - x - h * p.gradient(x);
        if (x == 0)
          EXPECT_LE(std::abs(pull), h * p.slope() * (1 + 1e-12) + 1e-12 * std::abs(b)) << b << " " << h;
        else
          EXPECT_NEAR(pull, 0, 1e-9 * (std::abs(b) + h * std::abs(p.gradient(x)))) << b << " " << h;
        // And the least of all: minima lie between the mode and b.
        for (int k = 0; k <= 200; ++k)
          EXPECT_GE(objective(b * k / 200), objective(x) * (1 - 1e-12) - 1e-300) << b << " " << h << " " << k;
      }
  });
}

}  // namespace
}  // namespace lazylogit::prior
