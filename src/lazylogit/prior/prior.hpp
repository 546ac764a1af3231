// What a prior is to the rest of the program: one small value type per family, acting on one coefficient.
//
// A coefficient is given relative to its prior mean (prior/prior_table.hpp shifts). With R(b) = −log density
// without its constant, every family has
//   value(b)             R(b) ≥ 0, with R(0) = 0
//   normaliser()         the constant: −log density = R(b) + normaliser()  (0 for improper priors)
//   gradient(b)          R'(b); at a kink 0
//   curvature(b)         R''(b) where it exists, else 0
//   slope()              half the jump of R' at 0: the L1 part (0 for smooth priors)
//   prox(b, h)           argmin over x of ½(x − b)² + h R(x), h ≥ 0
//   flow(b, s)           where b is after time s ≥ 0 of db/ds = −R'(b); never crosses 0; flow(flow(b,s),t) =
//   flow(b,s+t) flow_integral(b, s)  ∫₀ˢ flow(b, t) dt
// An SGD step of size η over n examples is a flow of time η/n. b, s finite; s may be 0. Cost: a few flops;
// Cauchy's flow a few Halley steps.
#pragma once

#include <concepts>

namespace lazylogit::prior {

template <class P>
concept Prior = requires(const P& p, double b, double s) {
  { p.value(b) } -> std::same_as<double>;
  { p.normaliser() } -> std::same_as<double>;
  { p.gradient(b) } -> std::same_as<double>;
  { p.curvature(b) } -> std::same_as<double>;
  { p.slope() } -> std::same_as<double>;
  { p.prox(b, s) } -> std::same_as<double>;
  { p.flow(b, s) } -> std::same_as<double>;
  { p.flow_integral(b, s) } -> std::same_as<double>;
  { P::name } -> std::convertible_to<const char*>;
  { P::convex } -> std::convertible_to<bool>;
};

}  // namespace lazylogit::prior
