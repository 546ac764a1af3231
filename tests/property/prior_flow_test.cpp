// What must hold for the flow of every prior in the list.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/prior/prior_table.hpp"

namespace lazylogit::prior {
namespace {

// Every family of AnyPrior, with parameters from free to strong.
std::vector<AnyPrior> priors() {
  std::vector<AnyPrior> list{Uniform{}};
  for (const double v : {1e-3, 0.5, 3.0, 1e6}) {
    list.push_back(Gaussian::from_variance(v));
    list.push_back(Laplace::from_variance(v));
    list.push_back(Cauchy::from_scale(std::sqrt(v)));
    for (const double l2 : {0.0, 1e-9, 0.7, 40.0}) list.push_back(ElasticNet{1 / v, l2});
  }
  list.push_back(Gaussian{0});
  list.push_back(Laplace{0});
  list.push_back(Cauchy{0});
  list.push_back(ElasticNet{0, 0});
  list.push_back(ElasticNet{0, 2.5});
  return list;
}

template <class Body>
void for_each_case(Body&& body) {
  for (const AnyPrior& any : priors())
    std::visit(
        [&](const auto& p) {
          for (const double b : {1e-12, 0.003, 0.8, -2.5, 40.0})
            for (const double s : {0.0, 1e-9, 1e-3, 0.11, 2.0, 50.0}) {
              SCOPED_TRACE(std::string(p.name) + " b=" + std::to_string(b) + " s=" + std::to_string(s));
              body(p, b, s);
            }
        },
        any);
}

// How much the flow amplifies rounding of its input: the slope times b in −log.
template <class P>
double condition(const P& p, double b, double after) {
  if constexpr (std::is_same_v<P, Cauchy>) {
    const double v0 = p.inverse_square * b * b, v = p.inverse_square * after * after;
    return 1 + v0 / (1 + v);
  }
  return 1;
}

TEST(PriorFlow, Composes) {
  for_each_case([](const auto& p, double b, double s) {
    for (const double t : {1e-4, 0.3, 7.0}) {
      const double once = p.flow(b, s + t), twice = p.flow(p.flow(b, s), t);
      // Two roundings of |b| may not cancel where the flow ends near 0.
      EXPECT_NEAR(twice, once, 1e-14 * std::abs(b) * condition(p, b, once)) << t;
    }
  });
}

TEST(PriorFlow, NeverCrossesTheModeNorMovesAway) {
  for_each_case([](const auto& p, double b, double s) {
    const double after = p.flow(b, s);
    EXPECT_LE(std::abs(after), std::abs(b));
    EXPECT_GE(after * b, 0);
    EXPECT_EQ(p.flow(b, 0), b);
    EXPECT_EQ(p.flow(0, s), 0);
    EXPECT_EQ(p.flow(-b, s), -after);
  });
}

TEST(PriorFlow, IsTheLimitOfSmallSteps) {
  for_each_case([](const auto& p, double b, double s) {
    // Explicit steps approach the flow like 1/steps. Extrapolation removes that term where the path is
    // smooth.
    const auto steps = [&](int count) {
      double x = b;
      for (int i = 0; i < count; ++i) x = optim::explicit_step(p, x, s / count);
      return x;
    };
    const double start_rate = std::max(p.curvature(0), std::abs(p.curvature(b))) * s;
    if (start_rate > 20) return;  // too stiff for explicit steps
    const double flow = p.flow(b, s), coarse = steps(4000), fine = steps(16000);
    EXPECT_LE(std::abs(fine - flow), 0.5 * std::abs(coarse - flow) + 1e-9 * std::abs(b));
    EXPECT_NEAR(fine, flow, 1e-3 * std::abs(b));
  });
}

TEST(PriorFlow, IntegralMatchesQuadrature) {
  for_each_case([](const auto& p, double b, double s) {
    // Simpson's rule on intervals that grow geometrically, because stiff flows end soon after 0.
    constexpr int n = 3000;
    double sum = 0, from = 0;
    for (int i = 0; i <= n; ++i) {
      const double to = s * std::pow(10.0, -30.0 + 30.0 * i / n);
      sum += (to - from) / 6 * (p.flow(b, from) + 4 * p.flow(b, 0.5 * (from + to)) + p.flow(b, to));
      from = to;
    }
    // A path that reaches 0 leaves a kink inside one interval.
    const double tolerance = p.flow(b, s) != 0 ? 1e-8 : 1e-3;
    EXPECT_NEAR(p.flow_integral(b, s), sum, tolerance * std::abs(sum));
  });
}

TEST(PriorFlow, IntegralIsAdditive) {
  for_each_case([](const auto& p, double b, double s) {
    const double whole = p.flow_integral(b, s + 0.4);
    const double parts = p.flow_integral(b, s) + p.flow_integral(p.flow(b, s), 0.4);
    EXPECT_NEAR(parts, whole, 1e-12 * (std::abs(whole) + std::abs(b) * 1e-3) * condition(p, b, p.flow(b, s)));
  });
}

TEST(PriorFlow, DerivativeOfTheIntegralIsTheFlow) {
  for_each_case([](const auto& p, double b, double s) {
    if (s == 0) return;
    const double h = 1e-5 * s;
    const double slope = (p.flow_integral(b, s + h) - p.flow_integral(b, s - h)) / (2 * h);
    EXPECT_NEAR(slope, p.flow(b, s), 1e-5 * std::abs(b));
  });
}

}  // namespace
}  // namespace lazylogit::prior
