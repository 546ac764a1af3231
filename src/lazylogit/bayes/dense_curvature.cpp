#include "lazylogit/bayes/dense_curvature.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"

namespace lazylogit::bayes {
namespace {

using Eigen::Index;

// Below this reciprocal condition of the scaled matrix, digits of standard errors are lost.
constexpr double smallest_rcond = 1e-13;

[[noreturn]] void refuse(const Eigen::MatrixXd& scaled, const CurvatureFrame& frame,
                         const model::Shape& shape, const Names& names) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  const Eigen::VectorXd direction = eigen.eigenvectors().col(0).cwiseAbs();
  std::vector<Index> order(static_cast<std::size_t>(direction.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return direction(a) > direction(b); });
  constexpr std::size_t most_named = 5;
  std::string list;
  std::size_t involved = 0;
  for (const Index i : order) {
    if (direction(i) < 0.05 * direction(order.front())) break;
    if (++involved > most_named) continue;
    list += (list.empty() ? "" : ", ") +
            coordinate_name(shape, frame.coordinates[static_cast<std::size_t>(i)], names);
  }
  if (involved > most_named) list += fmt::format(" and {} more", involved - most_named);
  const bool indefinite = eigen.eigenvalues()(0) < -1e-8;
  throw InputError(
      {.kind = ErrorKind::input,
       .message = indefinite
                      ? "the posterior does not exist: the point is not a minimum of the error along " + list
                      : "the posterior does not exist: the data and the prior cannot tell apart " + list,
       .hint = indefinite ? "train to convergence, or try --restarts"
                          : "give them a proper prior or leave one of them out",
       .code = indefinite ? "indefinite-curvature" : "singular-curvature"});
}

}  // namespace

DenseCurvature dense_curvature(objective::Posterior& objective, const CurvatureFrame& frame,
                               bool with_covariance, const Names& names) {
  const model::Shape& shape = objective.problem().shape;
  const std::size_t size = objective.size(), count = frame.coordinates.size();
  const auto n = static_cast<Index>(count);
  Eigen::VectorXd scale(n);
  for (Index i = 0; i < n; ++i) scale(i) = 1 / std::sqrt(frame.diagonal[static_cast<std::size_t>(i)]);
  std::vector<Index> position(size, -1);
  for (std::size_t k = 0; k < count; ++k) position[frame.coordinates[k]] = static_cast<Index>(k);
  Eigen::MatrixXd scaled(n, n);
  {
    math::Vector all(size * size);
    objective.hessian_matrix(all);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < count; ++k)
        scaled(static_cast<Index>(i), static_cast<Index>(k)) =
            all[frame.coordinates[i] * size + frame.coordinates[k]];
  }
  const std::size_t vectors = shape.num_vectors();
  const auto for_flat_pairs = [&](const auto& body) {
    for (std::size_t f = 0; f < frame.flat_rows.size(); ++f)
      for (std::size_t v = 0; v < vectors; ++v)
        for (std::size_t u = 0; u < vectors; ++u)
          body(frame.shift[f], position[shape.index(frame.flat_rows[f], v)],
               position[shape.index(frame.flat_rows[f], u)]);
  };
  for_flat_pairs([&](double shift, Index i, Index k) { scaled(i, k) += shift; });
  scaled = scale.asDiagonal() * scaled * scale.asDiagonal();

  const Eigen::LLT<Eigen::MatrixXd> factor(scaled);
  if (n > 0 && (factor.info() != Eigen::Success || !(factor.rcond() > smallest_rcond)))
    refuse(scaled, frame, shape, names);
  DenseCurvature result;
  for (Index i = 0; i < n; ++i)
    result.log_determinant += 2 * (std::log(factor.matrixLLT()(i, i)) - std::log(scale(i)));
  for (const double shift : frame.shift)
    result.log_determinant -= std::log(shift * static_cast<double>(vectors));
  if (!with_covariance) return result;

  Eigen::MatrixXd covariance = factor.solve(Eigen::MatrixXd::Identity(n, n));
  covariance = scale.asDiagonal() * covariance * scale.asDiagonal();
  for_flat_pairs([&](double shift, Index i, Index k) {
    covariance(i, k) -= 1 / (shift * static_cast<double>(vectors * vectors));
  });
  result.covariance.reserve(count * (count + 1) / 2);
  for (Index i = 0; i < n; ++i)
    for (Index k = 0; k <= i; ++k) result.covariance.push_back(0.5 * (covariance(i, k) + covariance(k, i)));
  return result;
}

}  // namespace lazylogit::bayes
