// Draws from the Pólya–Gamma distribution, which turns a logistic likelihood into a Gaussian one.
//
//   PG(1, z):  ω = (1/2π²) Σ_k g_k / ((k − ½)² + z²/4π²),  g_k ~ Exp(1);   PG(n, z) is the sum of n of them
//   E ω = tanh(z/2)/(2z)
//   e^{yψ}/(1 + e^ψ) = ½ e^{(y − ½)ψ} E exp(−ω ψ²/2),  ω ~ PG(1, 0)
// so that ω | ψ ~ PG(1, ψ), and given ω the likelihood is Gaussian in ψ (Polson, Scott and Windle 2013). Exact: rejection
// from an exponential tail and a truncated inverse Gaussian, accepted by an alternating series (Devroye 2009). About 1.2
// proposals per draw whatever z is.
#pragma once

#include <cstdint>

#include "lazylogit/base/random.hpp"

namespace lazylogit::bayes {

double draw_polya_gamma(double z, Random& random);
double draw_polya_gamma(std::uint64_t n, double z, Random& random);

}  // namespace lazylogit::bayes
