#include "lazylogit/prior/coupling.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <utility>

namespace lazylogit::prior {

using Eigen::Index;

std::optional<Coupling> Coupling::make(std::vector<double> covariance, std::vector<std::size_t> coordinates) {
  const auto m = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(covariance.size()))));
  const auto n = static_cast<Index>(m);
  Eigen::MatrixXd v = Eigen::Map<const Eigen::MatrixXd>(covariance.data(), n, n);
  Eigen::VectorXd scale(n);
  for (Index i = 0; i < n; ++i) {
    if (!(v(i, i) > 0)) return std::nullopt;
    scale(i) = 1 / std::sqrt(v(i, i));
  }
  v = scale.asDiagonal() * v * scale.asDiagonal();
  if (!v.allFinite() || !scale.allFinite()) return std::nullopt;
  const Eigen::LLT<Eigen::MatrixXd> factor(v);
  constexpr double smallest_rcond = 1e-13;
  if (n > 0 && (factor.info() != Eigen::Success || !(factor.rcond() > smallest_rcond))) return std::nullopt;
  Eigen::MatrixXd p = factor.solve(Eigen::MatrixXd::Identity(n, n));
  p = (0.5 * (p + p.transpose())).eval();
  p = scale.asDiagonal() * p * scale.asDiagonal();
  if (!p.allFinite()) return std::nullopt;
  Coupling result;
  result.size_ = m;
  const double groups = m == 0 ? 0 : static_cast<double>(coordinates.size() / m);
  double log_density = 0;  // log det P − Σ log P_ii
  for (Index i = 0; i < n; ++i)
    log_density -= 2 * (std::log(factor.matrixLLT()(i, i)) - std::log(scale(i))) + std::log(p(i, i));
  result.log_density_ = 0.5 * groups * log_density;
  result.coordinates_ = std::move(coordinates);
  result.covariance_ = std::move(covariance);
  result.precision_.assign(p.data(), p.data() + p.size());
  return result;
}

void Coupling::add_product(std::span<const double> v, std::span<double> out) const {
  for (std::size_t first = 0; first < coordinates_.size(); first += size_)
    for (std::size_t i = 0; i < size_; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < size_; ++k)
        if (k != i) sum += precision(i, k) * v[coordinates_[first + k]];
      out[coordinates_[first + i]] += sum;
    }
}

double Coupling::value(std::span<const double> t) const {
  double sum = 0;
  for (std::size_t first = 0; first < coordinates_.size(); first += size_)
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t k = 0; k < i; ++k)
        sum += precision(i, k) * t[coordinates_[first + i]] * t[coordinates_[first + k]];
  return sum;
}

void Coupling::add_matrix(std::span<double> matrix, std::size_t n) const {
  for (std::size_t first = 0; first < coordinates_.size(); first += size_)
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t k = 0; k < size_; ++k)
        if (k != i) matrix[coordinates_[first + i] * n + coordinates_[first + k]] += precision(i, k);
}

double Coupling::dual_value(std::span<const double> u) const {
  double sum = 0;
  for (std::size_t first = 0; first < coordinates_.size(); first += size_)
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t k = 0; k < size_; ++k)
        sum += 0.5 * covariance_[i * size_ + k] * u[coordinates_[first + i]] * u[coordinates_[first + k]];
  return sum;
}

}  // namespace lazylogit::prior
