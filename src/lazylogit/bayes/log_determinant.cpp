#include "lazylogit/bayes/log_determinant.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/bayes/probe.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;

constexpr std::size_t num_probes = 4;
constexpr std::size_t most_steps = 30;
constexpr double step_tolerance = 1e-4;  // relative change of the quadrature at which more steps add nothing

// A v for vectors over the frame's coordinates.
class ScaledHessian {
 public:
  ScaledHessian(objective::Posterior& objective, const CurvatureFrame& frame)
      : objective_(objective),
        frame_(frame),
        scale_(frame.coordinates.size()),
        in_(objective.size(), 0.0),
        out_(objective.size()) {
    for (std::size_t i = 0; i < scale_.size(); ++i) scale_[i] = 1 / std::sqrt(frame.diagonal[i]);
  }
  void operator()(const Eigen::VectorXd& v, Eigen::VectorXd& product) {
    for (std::size_t i = 0; i < scale_.size(); ++i)
      in_[frame_.coordinates[i]] = scale_[i] * v(static_cast<Index>(i));
    objective_.hessian_vector(in_, out_);
    const model::Shape& shape = objective_.problem().shape;
    for (std::size_t f = 0; f < frame_.flat_rows.size(); ++f) {
      double sum = 0;
      for (std::size_t c = 0; c < shape.num_vectors(); ++c) sum += in_[shape.index(frame_.flat_rows[f], c)];
      for (std::size_t c = 0; c < shape.num_vectors(); ++c)
        out_[shape.index(frame_.flat_rows[f], c)] += frame_.shift[f] * sum;
    }
    for (std::size_t i = 0; i < scale_.size(); ++i)
      product(static_cast<Index>(i)) = scale_[i] * out_[frame_.coordinates[i]];
  }

 private:
  objective::Posterior& objective_;
  const CurvatureFrame& frame_;
  math::Vector scale_, in_, out_;
};

// e₁ᵀ log(T) e₁ of the tridiagonal matrix of Lanczos coefficients.
double quadrature(const std::vector<double>& diagonal, const std::vector<double>& beside) {
  const auto m = static_cast<Index>(diagonal.size());
  Eigen::VectorXd d = Eigen::Map<const Eigen::VectorXd>(diagonal.data(), m);
  Eigen::VectorXd e = Eigen::Map<const Eigen::VectorXd>(beside.data(), m - 1);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen;
  eigen.computeFromTridiagonal(d, e);
  double sum = 0;
  for (Index k = 0; k < m; ++k)
    sum += eigen.eigenvectors()(0, k) * eigen.eigenvectors()(0, k) *
           std::log(std::max(eigen.eigenvalues()(k), 1e-300));
  return sum;
}

double probe_value(ScaledHessian& a, std::size_t count, std::uint64_t seed, std::size_t probe,
                   const CancelToken& cancel) {
  const auto n = static_cast<Index>(count);
  Eigen::VectorXd now(n), before = Eigen::VectorXd::Zero(n), next(n);
  for_each_sign(seed, probe, count, [&](std::size_t i, double sign) { now(static_cast<Index>(i)) = sign; });
  now /= std::sqrt(static_cast<double>(count));
  std::vector<double> diagonal, beside;
  double value = 0;
  for (std::size_t step = 0; step < std::min(most_steps, count); ++step) {
    cancel.throw_if_cancelled();
    a(now, next);
    if (!beside.empty()) next -= beside.back() * before;
    diagonal.push_back(now.dot(next));
    next -= diagonal.back() * now;
    const double last = value;
    value = quadrature(diagonal, beside);
    const double norm = next.norm();
    if (step > 3 && std::abs(value - last) <= step_tolerance * std::max(std::abs(value), 1e-3)) break;
    if (norm < 1e-12) break;
    beside.push_back(norm);
    before.swap(now);
    now = next / norm;
  }
  return value * static_cast<double>(count);
}

}  // namespace

LogDeterminant estimate_log_determinant(objective::Posterior& objective, const CurvatureFrame& frame,
                                        std::uint64_t seed, const CancelToken& cancel) {
  LogDeterminant result;
  for (const double d : frame.diagonal) result.value += std::log(d);
  for (const double shift : frame.shift)
    result.value -= std::log(shift * static_cast<double>(objective.problem().shape.num_vectors()));
  ScaledHessian a(objective, frame);
  std::vector<double> values;
  double mean = 0;
  for (std::size_t probe = 0; probe < num_probes; ++probe) {
    values.push_back(probe_value(a, frame.coordinates.size(), seed, probe, cancel));
    mean += values.back() / static_cast<double>(num_probes);
  }
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  result.value += mean;
  result.standard_error = std::sqrt(squares / static_cast<double>(num_probes * (num_probes - 1)));
  return result;
}

}  // namespace lazylogit::bayes
