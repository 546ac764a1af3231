#include "lazylogit/bayes/variational.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "lazylogit/base/error.hpp"
#include "lazylogit/bayes/dense_curvature.hpp"
#include "lazylogit/bayes/dense_rows.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;
using Matrix = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

constexpr std::size_t most_columns = 2048;

// The prior's precision as a matrix over all coefficients, in place of what `matrix` holds.
void add_prior(const objective::Problem& problem, math::Vector& matrix) {
  const std::size_t n = problem.shape.size();
  for (std::size_t i = 0; i < n; ++i)
    matrix[i * n + i] +=
        std::visit([](const auto& prior) { return prior.curvature(0); }, problem.prior->at(i));
  if (const prior::Coupling* coupling = problem.prior->coupling()) coupling->add_matrix(matrix, n);
}

std::vector<std::size_t> moving_coordinates(const objective::Problem& problem) {
  std::vector<std::size_t> moving;
  const model::Shape& shape = problem.shape;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (i % shape.stride() < shape.num_vectors() && !problem.prior->pinned(i)) moving.push_back(i);
  return moving;
}

double lambda(double xi) { return xi < 1e-4 ? 0.125 - xi * xi / 96 : std::tanh(0.5 * xi) / (4 * xi); }
double log_sigmoid(double x) { return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)); }

class TwoClasses {
 public:
  TwoClasses(const objective::Problem& problem, std::span<const double> b, const Names& names)
      : problem_(problem),
        names_(names),
        rows_(make_dense_rows(problem)),
        x_(rows_.x.data(), static_cast<Index>(rows_.num_rows), static_cast<Index>(rows_.num_columns)),
        moving_(moving_coordinates(problem)),
        mean_(b.begin(), b.end()) {
    // What pinned coefficients say is known: an offset.
    Column pinned = Column::Zero(x_.cols());
    for (std::size_t i = 0; i < b.size(); ++i)
      if (problem.prior->pinned(i)) pinned(static_cast<Index>(i)) = b[i];
    offsets_ = Eigen::Map<const Column>(rows_.offsets.data(), x_.rows()) + x_ * pinned;
    inner_.resize(x_.rows(), static_cast<Index>(moving_.size()));
    for (std::size_t k = 0; k < moving_.size(); ++k)
      inner_.col(static_cast<Index>(k)) = x_.col(static_cast<Index>(moving_[k]));
    xi_ = (inner_ * moving_mean() + offsets_).cwiseAbs();
  }

  // The bound on the evidence.
  double run(const model::TrainingRecord& record, const CancelToken& cancel) {
    constexpr int most_steps = 1000;
    for (int step = 0; step < most_steps; ++step) {
      cancel.throw_if_cancelled();
      update();
      const Column scores = inner_ * moving_mean() + offsets_;
      const Matrix spread = inner_ * covariance_;
      Column xi = (spread.cwiseProduct(inner_).rowwise().sum().array() + scores.array().square())
                      .max(0.0)
                      .sqrt()
                      .matrix();
      const double change = xi_.size() > 0 ? ((xi - xi_).array() / (1 + xi.array())).abs().maxCoeff() : 0.0;
      xi_ = std::move(xi);
      if (change < 1e-11) break;
    }
    update();
    return bound(record);
  }

  const std::vector<std::size_t>& moving() const noexcept { return moving_; }
  const math::Vector& mean() const noexcept { return mean_; }
  const DenseCurvature& curvature() const noexcept { return curvature_; }

 private:
  Column moving_mean() const {
    Column m(static_cast<Index>(moving_.size()));
    for (std::size_t k = 0; k < moving_.size(); ++k) m(static_cast<Index>(k)) = mean_[moving_[k]];
    return m;
  }
  double label(Index j) const {
    return problem_.shape.vector_of(rows_.labels[static_cast<std::size_t>(j)]) ? 1.0 : 0.0;
  }

  // S and the mean from ξ.
  void update() {
    const Index rows = x_.rows();
    Column weight(rows), pull(rows);
    for (Index j = 0; j < rows; ++j) {
      const double w = rows_.weights[static_cast<std::size_t>(j)], l = lambda(xi_(j));
      weight(j) = std::sqrt(2 * w * l);
      pull(j) = w * (label(j) - 0.5 - 2 * l * offsets_(j));
    }
    const Matrix gram = (weight.asDiagonal() * x_).transpose() * (weight.asDiagonal() * x_);
    math::Vector matrix(gram.data(), gram.data() + gram.size());
    add_prior(problem_, matrix);
    curvature_ = invert_curvature(matrix, moving_, {}, problem_.shape, true, names_);
    const auto count = static_cast<Index>(moving_.size());
    covariance_.resize(count, count);
    for (Index i = 0, at = 0; i < count; ++i)
      for (Index k = 0; k <= i; ++k, ++at)
        covariance_(i, k) = covariance_(k, i) = curvature_.covariance[static_cast<std::size_t>(at)];
    linear_ = inner_.transpose() * pull;
    for (std::size_t k = 0; k < moving_.size(); ++k)
      for (const std::size_t other : moving_)
        linear_(static_cast<Index>(k)) += prior_at(moving_[k], other) * problem_.prior->mean(other);
    const Column m = covariance_ * linear_;
    for (std::size_t k = 0; k < moving_.size(); ++k) mean_[moving_[k]] = m(static_cast<Index>(k));
  }

  double prior_at(std::size_t i, std::size_t k) {
    if (prior_.empty()) {
      prior_.assign(problem_.shape.size() * problem_.shape.size(), 0.0);
      add_prior(problem_, prior_);
    }
    return prior_[i * problem_.shape.size() + k];
  }

  double bound(const model::TrainingRecord& record) {
    double sum = 0;
    for (Index j = 0; j < x_.rows(); ++j) {
      const double w = rows_.weights[static_cast<std::size_t>(j)], xi = xi_(j), l = lambda(xi),
                   o = offsets_(j);
      sum += w * (log_sigmoid(xi) - xi / 2 + l * (xi * xi - o * o) + (label(j) - 0.5) * o);
    }
    double at_mean = 0;  // ½ m₀ᵀ P m₀
    for (const std::size_t i : moving_)
      for (const std::size_t k : moving_)
        at_mean += 0.5 * prior_at(i, k) * problem_.prior->mean(i) * problem_.prior->mean(k);
    const double p = static_cast<double>(moving_.size());
    // log prior at its mean: what the record says, less the penalty.
    return sum + 0.5 * linear_.dot(covariance_ * linear_) - at_mean + record.log_prior + record.penalty +
           0.5 * p * std::log(2 * std::numbers::pi) - 0.5 * curvature_.log_determinant;
  }

  const objective::Problem& problem_;
  const Names& names_;
  DenseRows rows_;
  Eigen::Map<const Matrix> x_;
  std::vector<std::size_t> moving_;
  math::Vector mean_, prior_;
  Column offsets_, xi_, linear_;
  Matrix inner_, covariance_;
  DenseCurvature curvature_;
};

// P + Σ w A ⊗ x xᵀ over the layout.
math::Vector bohning_matrix(const objective::Problem& problem) {
  const DenseRows rows = make_dense_rows(problem);
  const Eigen::Map<const Matrix> x(rows.x.data(), static_cast<Index>(rows.num_rows),
                                   static_cast<Index>(rows.num_columns));
  const Eigen::Map<const Column> w(rows.weights.data(), static_cast<Index>(rows.num_rows));
  const Matrix gram = x.transpose() * w.asDiagonal() * x;
  const model::Shape& shape = problem.shape;
  const std::size_t n = shape.size();
  const double k = static_cast<double>(shape.num_classes);
  math::Vector matrix(n * n, 0.0);
  for (std::size_t i = 0; i < shape.num_rows(); ++i)
    for (std::size_t h = 0; h < shape.num_rows(); ++h)
      for (std::size_t v = 0; v < shape.num_vectors(); ++v)
        for (std::size_t u = 0; u < shape.num_vectors(); ++u)
          matrix[shape.index(i, v) * n + shape.index(h, u)] =
              0.5 * ((u == v ? 1.0 : 0.0) - 1 / k) * gram(static_cast<Index>(i), static_cast<Index>(h));
  add_prior(problem, matrix);
  return matrix;
}

// Tr(P S), P the prior's precision.
double prior_trace(const objective::Problem& problem, const model::PosteriorApproximation& posterior) {
  const std::size_t n = problem.shape.size();
  math::Vector prior(n * n, 0.0);
  add_prior(problem, prior);
  double sum = 0;
  for (std::size_t i = 0, at = 0; i < posterior.coordinates.size(); ++i)
    for (std::size_t k = 0; k <= i; ++k, ++at)
      sum += (i == k ? 1 : 2) * posterior.covariance[at] *
             prior[posterior.coordinates[i] * n + posterior.coordinates[k]];
  return sum;
}

}  // namespace

void check_variational(const objective::Problem& problem) {
  const auto family = problem.prior->family();
  if (family != prior::Gaussian::name && family != prior::Uniform::name)
    throw ConfigError(
        fmt::format("the variational bounds need a gaussian prior; this one is {}", std::string(family)),
        "posterior", "take samples, which every prior has");
  if (problem.shape.size() > dense_limit || !fits_dense_rows(problem, most_columns))
    throw ConfigError(fmt::format("a variational posterior of {} coefficients is too large (at most {})",
                                  problem.shape.size(), dense_limit),
                      "posterior", "take diagonal or low-rank");
}

model::PosteriorApproximation variational_posterior(const objective::Problem& problem,
                                                    std::span<const double> b,
                                                    const model::TrainingRecord& record, const Names& names,
                                                    const CancelToken& cancel) {
  check_variational(problem);
  model::PosteriorApproximation out;
  out.kind = model::PosteriorKind::variational;
  DenseCurvature curvature;
  std::vector<std::size_t> moving, flat = flat_rows(problem);
  if (problem.shape.num_vectors() == 1) {
    TwoClasses two(problem, b, names);
    out.log_evidence = two.run(record, cancel);
    out.mean = two.mean();
    moving = two.moving();
    curvature = two.curvature();
  } else {
    moving = moving_coordinates(problem);
    curvature = invert_curvature(bohning_matrix(problem), moving, flat, problem.shape, true, names);
    out.mean.assign(b.begin(), b.end());
    const double p = static_cast<double>(moving.size() - flat.size());
    out.log_evidence = record.log_likelihood + record.log_prior + 0.5 * p * std::log(2 * std::numbers::pi) -
                       0.5 * curvature.log_determinant;
  }
  out.coordinates.assign(moving.begin(), moving.end());
  out.covariance = std::move(curvature.covariance);
  out.variance.assign(problem.shape.size(), 0.0);
  for (std::size_t k = 0; k < moving.size(); ++k)
    out.variance[moving[k]] = out.covariance[k * (k + 1) / 2 + k];
  out.num_parameters = static_cast<double>(moving.size() - flat.size());
  out.effective_parameters = out.num_parameters - prior_trace(problem, out);
  out.bic =
      -2 * record.log_likelihood + out.num_parameters * std::log(static_cast<double>(record.num_examples));
  out.aic = -2 * record.log_likelihood + 2 * out.num_parameters;
  return out;
}

}  // namespace lazylogit::bayes
