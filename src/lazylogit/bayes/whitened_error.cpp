#include "lazylogit/bayes/whitened_error.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>
#include <type_traits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/bayes/singular_direction.hpp"
#include "lazylogit/math/kink.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;

// The precision of a Gaussian about as wide as the prior.
template <class P>
double width_precision(const P& p) {
  if constexpr (std::is_same_v<P, prior::Gaussian>) return p.precision;
  if constexpr (std::is_same_v<P, prior::Laplace>) return 0.5 * p.l1 * p.l1;
  if constexpr (std::is_same_v<P, prior::Cauchy>) return p.inverse_square;
  if constexpr (std::is_same_v<P, prior::ElasticNet>) return p.l2 + 0.5 * p.l1 * p.l1;
  return 0;
}

}  // namespace

struct Whitening::Triangle {
  Eigen::MatrixXd lower;
};

Whitening::~Whitening() = default;

Whitening::Whitening(const objective::Problem& problem, std::span<const double> optimum, const Names& names)
    : shape_(problem.shape), optimum_(optimum.begin(), optimum.end()) {
  objective::Posterior objective(problem);
  const auto fixed = objective.fixed();
  for (std::size_t i = 0; i < optimum.size(); ++i)
    if (fixed.empty() || !fixed[i]) coordinates_.push_back(i);
  flat_rows_ = flat_rows(problem);
  objective.set_curvature_point(optimum);
  math::Vector diagonal(objective.size()), precision(objective.size(), 0.0);
  objective.likelihood().hessian_diagonal(diagonal.data());
  problem.prior->visit([&](const auto& view) {
    for (const std::size_t i : coordinates_)
      if (view.penalized(i)) precision[i] = width_precision(view.at(i));
  });
  for (const std::size_t row : flat_rows_) {
    double sum = 0;
    for (std::size_t v = 0; v < shape_.num_vectors(); ++v) sum += diagonal[shape_.index(row, v)];
    shift_.push_back(sum / static_cast<double>(shape_.num_vectors()));
  }
  for (const std::size_t i : coordinates_) {
    const double m = diagonal[i] + precision[i];
    if (!(m > 0)) refuse_undetermined(problem.shape, i, names);
    scale_.push_back(1 / std::sqrt(m));
  }
  if (objective.size() > dense_metric_limit) return;
  const auto n = static_cast<Index>(coordinates_.size());
  const std::size_t size = objective.size();
  math::Vector all(size * size);
  objective.likelihood().hessian_matrix(all.data());
  if (const prior::Coupling* coupling = problem.prior->coupling()) coupling->add_matrix(all, size);
  for (std::size_t i = 0; i < size; ++i) all[i * size + i] += precision[i];
  for (std::size_t f = 0; f < flat_rows_.size(); ++f)
    for (std::size_t v = 0; v < shape_.num_vectors(); ++v)
      for (std::size_t u = 0; u < shape_.num_vectors(); ++u)
        all[shape_.index(flat_rows_[f], v) * size + shape_.index(flat_rows_[f], u)] += shift_[f];
  Eigen::MatrixXd scaled(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k < n; ++k) {
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(k);
      scaled(i, k) = scale_[a] * scale_[b] * all[coordinates_[a] * size + coordinates_[b]];
    }
  const Eigen::LLT<Eigen::MatrixXd> factor(scaled);
  if (n > 0 && (factor.info() != Eigen::Success || !(factor.rcond() > smallest_rcond)))
    refuse_singular({scaled.data(), static_cast<std::size_t>(scaled.size())}, coordinates_, problem.shape,
                    names);
  triangle_ = std::make_unique<Triangle>();
  triangle_->lower = factor.matrixL();
}

void Whitening::expand(std::span<const double> z, std::span<double> b) const {
  const auto n = static_cast<Index>(coordinates_.size());
  Eigen::VectorXd step = Eigen::Map<const Eigen::VectorXd>(z.data(), n);
  if (triangle_) triangle_->lower.triangularView<Eigen::Lower>().transpose().solveInPlace(step);
  std::copy(optimum_.begin(), optimum_.end(), b.begin());
  for (std::size_t k = 0; k < coordinates_.size(); ++k)
    b[coordinates_[k]] += scale_[k] * step(static_cast<Index>(k));
}

void Whitening::contract(std::span<const double> gradient, std::span<double> out) const {
  const auto n = static_cast<Index>(coordinates_.size());
  Eigen::Map<Eigen::VectorXd> result(out.data(), n);
  for (std::size_t k = 0; k < coordinates_.size(); ++k) out[k] = scale_[k] * gradient[coordinates_[k]];
  if (triangle_) triangle_->lower.triangularView<Eigen::Lower>().solveInPlace(result);
}

double Whitening::add_flat(std::span<const double> b, std::span<double> gradient) const {
  double value = 0;
  for (std::size_t f = 0; f < flat_rows_.size(); ++f) {
    double sum = 0;
    for (std::size_t v = 0; v < shape_.num_vectors(); ++v) {
      const std::size_t i = shape_.index(flat_rows_[f], v);
      sum += b[i] - optimum_[i];
    }
    value += 0.5 * shift_[f] * sum * sum;
    for (std::size_t v = 0; v < shape_.num_vectors(); ++v)
      gradient[shape_.index(flat_rows_[f], v)] += shift_[f] * sum;
  }
  return value;
}

void Whitening::settle(std::span<double> b) const {
  for (const std::size_t row : flat_rows_) {
    double sum = 0;
    for (std::size_t v = 0; v < shape_.num_vectors(); ++v)
      sum += b[shape_.index(row, v)] - optimum_[shape_.index(row, v)];
    for (std::size_t v = 0; v < shape_.num_vectors(); ++v)
      b[shape_.index(row, v)] -= sum / static_cast<double>(shape_.num_vectors());
  }
}

WhitenedError::WhitenedError(const objective::Problem& problem, const Whitening& whitening)
    : whitening_(whitening), objective_(problem), b_(objective_.size()), gradient_(objective_.size()) {}

double WhitenedError::operator()(std::span<const double> z, std::span<double> gradient) {
  whitening_.expand(z, b_);
  double value = objective_.value_and_gradient(b_, gradient_);
  const auto slopes = objective_.slopes(), kinks = objective_.kinks();
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double t = b_[i] - (kinks.empty() ? 0.0 : kinks[i]);
    value += slopes[i] * std::abs(t);
    gradient_[i] += slopes[i] * math::sign(t);
  }
  value += whitening_.add_flat(b_, gradient_);
  whitening_.contract(gradient_, gradient);
  return value;
}

}  // namespace lazylogit::bayes
