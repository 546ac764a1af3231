#include "lazylogit/model/chain_diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "lazylogit/base/random.hpp"

namespace lazylogit::model {
namespace {

// Chains x ← φ x + √(1 − φ²) ε, whose ESS is N (1 − φ)/(1 + φ).
std::vector<float> autoregressive(double phi, std::size_t chains, std::size_t length, double apart = 0) {
  Random random(4);
  std::vector<float> draws;
  for (std::size_t c = 0; c < chains; ++c) {
    double x = random.normal();
    for (std::size_t k = 0; k < length; ++k) {
      x = phi * x + std::sqrt(1 - phi * phi) * random.normal();
      draws.push_back(static_cast<float>(x + apart * static_cast<double>(c)));
    }
  }
  return draws;
}

TEST(ChainDiagnostics, IndependentDrawsCountFully) {
  const auto found = diagnose_chains(autoregressive(0, 4, 1000), 4);
  EXPECT_NEAR(found.rhat, 1, 0.005);
  EXPECT_NEAR(found.ess, 4000, 500);
}

TEST(ChainDiagnostics, CorrelatedDrawsCountLess) {
  for (const double phi : {0.5, 0.9}) {
    const auto found = diagnose_chains(autoregressive(phi, 4, 5000), 4);
    const double expected = 20000 * (1 - phi) / (1 + phi);
    EXPECT_NEAR(found.ess, expected, 0.15 * expected) << phi;
  }
  EXPECT_GT(diagnose_chains(autoregressive(-0.5, 4, 1000), 4).ess, 6000);
}

TEST(ChainDiagnostics, ChainsThatDisagreeAreSeen) {
  EXPECT_GT(diagnose_chains(autoregressive(0, 4, 500, 1.0), 4).rhat, 1.3);
  std::vector<float> drift(1000);  // one chain that has not arrived
  for (std::size_t k = 0; k < drift.size(); ++k) drift[k] = static_cast<float>(k);
  EXPECT_GT(diagnose_chains(drift, 1).rhat, 1.5);
}

TEST(ChainDiagnostics, SurviveDegenerateChains) {
  const std::vector<float> same(400, 2.5F);
  EXPECT_EQ(diagnose_chains(same, 4).rhat, 1);
  std::vector<float> stuck(400, 1.0F);
  for (std::size_t k = 200; k < 400; ++k) stuck[k] = 2.0F;
  EXPECT_TRUE(std::isinf(diagnose_chains(stuck, 2).rhat));
  EXPECT_EQ(diagnose_chains(std::vector<float>{1, 2, 3}, 1).rhat, 1);
}

}  // namespace
}  // namespace lazylogit::model
