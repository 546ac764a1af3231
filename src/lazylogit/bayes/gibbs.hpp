// Gibbs sampling of logistic regression under a Gaussian prior by Pólya–Gamma variables: no step size, nothing to tune.
//
// Vector by vector, with ψ_j the row's score minus C_j = ln Σ of e^{score} over the other classes (0 for two classes), w
// the row's weight and κ = w (I(label) − ½):
//   ω_j | b ~ PG(w_j, ψ_j)
//   b_v | ω ~ N(Λ⁻¹ h, Λ⁻¹),  Λ = P + Xᵀ Ω X,  h = P m + Xᵀ (κ + Ω C)
// P, m the prior's precision and mean (offsets join C with a minus). Weights are whole numbers. In the symmetric form no
// probability depends on a common shift c of a feature's coefficients in all vectors, and sweeps hardly move it: after each
// it is drawn from what the priors say, c ~ N(A⁻¹ Σ_v P_v (m_v − b_v), A⁻¹), A = Σ_v P_v. Where they say nothing (free
// intercepts) it is taken out.
// Cost of a sweep: rows · d² + d³ for each vector, d features; the rows are kept as a dense matrix.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::bayes {

// Whether the problem is one for this sampler: a Gaussian or uniform prior, whole weights that are not too large, not
// too many features and rows, offsets only where there is one vector.
bool takes_gibbs(const objective::Problem& problem);

// The rows and the prior in the form that sweeps need; shared by all chains.
class GibbsProblem {
 public:
  explicit GibbsProblem(const objective::Problem& problem);
  ~GibbsProblem();

 private:
  friend class GibbsChain;
  struct State;
  std::unique_ptr<State> state_;
};

class GibbsChain {
 public:
  GibbsChain(const GibbsProblem& problem, std::span<const double> start, std::uint64_t seed);
  ~GibbsChain();
  void sweep();
  std::span<const double> coefficients() const noexcept;  // in the layout of the problem

 private:
  struct State;
  void shift();
  const GibbsProblem& problem_;
  std::unique_ptr<State> state_;
};

}  // namespace lazylogit::bayes
