// The largest curvature of the error: at a point, and wherever.
//
//   λ_max(∇²F(b)) ≤ f λ_max(∇²F(0)) for every b, under convex priors
//
// Where all scores are 0 the probabilities of two classes, and of labels, vary most: f = 1. Of k ≥ 3 classes
// diag p − p pᵀ is at most ½ (I − 11ᵀ/k), and 1/k of that in brackets at 0: f = k/2. Of choices among at most m candidates the variance is
// at most a quarter of the squared range, and at least 1/(2m) of it at 0: f = m/2. A number: f = 1. Cauchy priors add
// their largest curvature instead of that at 0.
//
// By power iteration: 30 passes, or as few as are allowed. It comes from below, but a constant step of gradient descent lowers the error up to twice one over the
// curvature.
#pragma once

#include <cstdint>
#include <functional>

#include "lazylogit/objective/posterior.hpp"

namespace lazylogit::optim {

// The largest eigenvalue of the Hessian at the objective's curvature point over the coordinates that are `free`, from below,
// to a few percent. `interrupted` is asked between passes and ends the search.
double largest_curvature(objective::Objective& objective, const std::function<bool(std::size_t)>& free,
                         std::uint64_t most_rounds, const std::function<bool()>& interrupted);

double curvature_bound(const objective::Problem& problem, std::uint64_t most_rounds,
                       const std::function<bool()>& interrupted);

}  // namespace lazylogit::optim
