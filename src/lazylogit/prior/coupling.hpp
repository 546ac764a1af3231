// A Gaussian prior whose coefficients are correlated: what it adds to one that takes each coefficient by itself.
//
// Groups of m coefficients (the same features in each vector) have the prior N(mean, V), P = V⁻¹. The prior table holds
// the diagonal of P as m Gaussian priors; this holds the rest, O = P − diag P:
//   penalty      ½ tᵀ P t = Σ ½ P_ii t_i² + ½ tᵀ O t,   t = b − mean
//   log density  … + ½ (log det P − Σ log P_ii) for each group
// Cost of every call: m² per group.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace lazylogit::prior {

class Coupling {
 public:
  // `covariance` is m × m, row-major; `coordinates` are the groups one after another, m each. Nothing when the
  // covariance is not positive definite to working precision.
  static std::optional<Coupling> make(std::vector<double> covariance, std::vector<std::size_t> coordinates);

  std::size_t group_size() const noexcept { return size_; }
  std::span<const std::size_t> coordinates() const noexcept { return coordinates_; }
  const std::vector<double>& covariance() const noexcept { return covariance_; }
  double precision(std::size_t i, std::size_t k) const noexcept { return precision_[i * size_ + k]; }

  double value(std::span<const double> t) const;                             // Σ over groups of ½ tᵀ O t
  void add_product(std::span<const double> v, std::span<double> out) const;  // out += O v
  void add_matrix(std::span<double> matrix, std::size_t n) const;            // n × n, += O
  double log_density() const noexcept { return log_density_; }               // the constant above, all groups
  // Σ over groups of ½ uᵀ V u: with u = P t + g, how far the dual point g is from t (objective/dual_gap.hpp).
  double dual_value(std::span<const double> u) const;

 private:
  Coupling() = default;

  std::size_t size_ = 0;
  std::vector<std::size_t> coordinates_;
  std::vector<double> covariance_, precision_;
  double log_density_ = 0;
};

}  // namespace lazylogit::prior
