// The error of a problem as an objective: likelihood plus prior. The only place that knows both.
//
//   error(b) = L(b) + Σ_i R_i(b_i − m_i), and what a coupled Gaussian prior adds (prior/coupling.hpp)
//
// The L1 part of Laplace and elastic-net priors is kept apart as slopes and kinks; the rest of R joins f.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/objective/likelihood.hpp"
#include "lazylogit/objective/objective.hpp"

namespace lazylogit::objective {

struct ErrorParts {
  double log_likelihood = 0;  // weighted, nats
  double penalty = 0;         // −log prior without constants
  double error() const noexcept { return penalty - log_likelihood; }
};

// One pass over the data. b has problem.shape.size() entries.
ErrorParts evaluate_error(const Problem& problem, std::span<const double> b);

class Posterior final : public Objective {
 public:
  explicit Posterior(const Problem& problem);

  std::size_t size() const override { return problem().shape.size(); }
  bool convex() const override { return problem().prior->convex(); }
  double value_and_gradient(std::span<const double> b, std::span<double> gradient) override;
  std::span<const double> slopes() const override { return slopes_; }
  std::span<const double> kinks() const override { return kinks_; }
  // Made when first asked for: a byte for every coefficient, which most users of many coefficients do without.
  std::span<const std::uint8_t> fixed() const override {
    if (!fixed_) fixed_ = make_fixed();
    return *fixed_;
  }
  void set_curvature_point(std::span<const double> b) override;
  void hessian_vector(std::span<const double> v, std::span<double> out) override;
  void hessian_diagonal(std::span<double> out) override;
  using Objective::hessian_matrix;
  void hessian_matrix(std::span<double> out, double least) override;
  std::size_t hold(std::span<const double> b, std::span<const double> trial, double promised) override;
  void keep_holds(double share) override { likelihood_.keep_holds(share); }
  void use_holds(bool use) override { likelihood_.use_holds(use); }
  double pass_cost() const override;
  using Objective::matrix_cost;
  double matrix_cost(double least) const override;
  std::uint64_t passes() const override { return passes_; }

  const Problem& problem() const noexcept { return likelihood_.problem(); }
  Likelihood& likelihood() noexcept { return likelihood_; }
  // Second derivative of the prior's smooth part at the curvature point, a coupling's off-diagonal part left out; of no
  // meaning where a coordinate is fixed.
  double prior_curvature(std::size_t i) const noexcept {
    return !curvature_.empty() ? curvature_[i] : i < num_shared_ ? shared_curvature_ : 0.0;
  }
  // The raw gradient of the likelihood part, fixed coordinates included; returns its value. One pass.
  double likelihood_gradient(std::span<const double> b, std::span<double> gradient);
  // Takes the prior off what value_and_gradient gave at b: the same, but 0 at fixed coordinates. Returns the likelihood's
  // part of `value`.
  double without_prior(std::span<const double> b, double value, std::span<double> gradient) const;
  // That part of the value alone.
  double without_prior(std::span<const double> b, double value) const;

 private:
  std::vector<std::uint8_t> make_fixed() const;
  void clear_fixed(std::span<double> v) const;
  // For sums that are 0 in the padding as they are.
  void clear_pinned(std::span<double> v) const {
    if (pinned_) clear_fixed(v);
  }

  Likelihood likelihood_;
  std::vector<double> slopes_, kinks_;
  mutable std::optional<std::vector<std::uint8_t>> fixed_;
  bool pinned_ = false;  // some coefficient is
  // Of the prior's smooth part at the curvature point: one for all coordinates before num_shared_, or, where they differ,
  // one for each.
  math::Vector curvature_;
  double shared_curvature_ = 0;
  std::size_t num_shared_ = 0;
  mutable std::optional<double> matrix_cost_;
  std::uint64_t passes_ = 0;
};

}  // namespace lazylogit::objective
