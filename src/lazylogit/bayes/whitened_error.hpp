// The error as a function of coordinates in which the posterior is nearly a unit Gaussian: what a Hamiltonian sampler
// walks in.
//
//   b = optimum + T z,  T Tᵀ = M⁻¹,  M = Hessian of the likelihood at the optimum + curvature of the prior
// The prior's curvature is that of a Gaussian of its width (Laplace: l²/2, Cauchy: 1/scale²), so that a kink or a
// negative curvature does no harm. M is whole up to `dense_metric_limit` coefficients, beyond them its diagonal.
// Directions that nothing determines (curvature_frame.hpp: flat rows) get a Gaussian of their own, which is independent
// of all the rest, and `coefficients` takes them out again.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "lazylogit/bayes/curvature_frame.hpp"

namespace lazylogit::bayes {

inline constexpr std::size_t dense_metric_limit = 1024;

// T and what it belongs to; shared by all chains.
class Whitening {
 public:
  // Throws InputError naming the coefficients that neither data nor prior determine.
  Whitening(const objective::Problem& problem, std::span<const double> optimum, const Names& names);
  ~Whitening();

  std::size_t dimension() const noexcept { return coordinates_.size(); }
  // b of z, flat directions included.
  void expand(std::span<const double> z, std::span<double> b) const;
  // Tᵀ g.
  void contract(std::span<const double> gradient, std::span<double> out) const;
  // Gives the flat directions of b back: the coefficients of a flat row get the sum they have at the optimum.
  void settle(std::span<double> b) const;
  // What the flat directions' own Gaussian adds to the error at b, and to its gradient.
  double add_flat(std::span<const double> b, std::span<double> gradient) const;

 private:
  struct Triangle;
  const model::Shape shape_;
  std::vector<double> optimum_;
  std::vector<std::size_t> coordinates_;  // not fixed
  std::vector<std::size_t> flat_rows_;
  std::vector<double> shift_;
  std::vector<double> scale_;           // 1/√M_ii
  std::unique_ptr<Triangle> triangle_;  // Cholesky factor of the scaled M; null: identity
};

// The error of one chain.
class WhitenedError {
 public:
  WhitenedError(const objective::Problem& problem, const Whitening& whitening);
  double operator()(std::span<const double> z, std::span<double> gradient);

 private:
  const Whitening& whitening_;
  objective::Posterior objective_;
  math::Vector b_, gradient_;
};

}  // namespace lazylogit::bayes
