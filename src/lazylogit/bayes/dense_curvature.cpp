#include "lazylogit/bayes/dense_curvature.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "lazylogit/bayes/singular_direction.hpp"

namespace lazylogit::bayes {

using Eigen::Index;

DenseCurvature invert_curvature(std::span<const double> matrix, std::span<const std::size_t> coordinates,
                                std::span<const std::size_t> flat_rows, const model::Shape& shape,
                                bool with_covariance, const Names& names) {
  const std::size_t size = shape.size(), count = coordinates.size();
  const auto n = static_cast<Index>(count);
  Eigen::VectorXd scale(n);
  std::vector<Index> position(size, -1);
  for (std::size_t k = 0; k < count; ++k) {
    const double diagonal = matrix[coordinates[k] * size + coordinates[k]];
    if (!(diagonal > 0)) refuse_undetermined(shape, coordinates[k], names);
    scale(static_cast<Index>(k)) = 1 / std::sqrt(diagonal);
    position[coordinates[k]] = static_cast<Index>(k);
  }
  Eigen::MatrixXd scaled(n, n);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k)
      scaled(static_cast<Index>(i), static_cast<Index>(k)) = matrix[coordinates[i] * size + coordinates[k]];
  const std::size_t vectors = shape.num_vectors();
  std::vector<double> shifts;  // as in curvature_frame.hpp: the mean of the row's diagonal
  for (const std::size_t row : flat_rows) {
    double sum = 0;
    for (std::size_t v = 0; v < vectors; ++v) sum += matrix[shape.index(row, v) * (size + 1)];
    shifts.push_back(sum / static_cast<double>(vectors));
  }
  const auto for_flat_pairs = [&](const auto& body) {
    for (std::size_t f = 0; f < flat_rows.size(); ++f)
      for (std::size_t v = 0; v < vectors; ++v)
        for (std::size_t u = 0; u < vectors; ++u)
          body(shifts[f], position[shape.index(flat_rows[f], v)], position[shape.index(flat_rows[f], u)]);
  };
  for_flat_pairs([&](double shift, Index i, Index k) { scaled(i, k) += shift; });
  scaled = scale.asDiagonal() * scaled * scale.asDiagonal();

  const Eigen::LLT<Eigen::MatrixXd> factor(scaled);
  if (n > 0 && (factor.info() != Eigen::Success || !(factor.rcond() > smallest_rcond)))
    refuse_singular({scaled.data(), static_cast<std::size_t>(scaled.size())}, coordinates, shape, names);
  DenseCurvature result;
  for (Index i = 0; i < n; ++i)
    result.log_determinant += 2 * (std::log(factor.matrixLLT()(i, i)) - std::log(scale(i)));
  for (const double shift : shifts) result.log_determinant -= std::log(shift * static_cast<double>(vectors));
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

DenseCurvature dense_curvature(objective::Posterior& objective, const CurvatureFrame& frame,
                               bool with_covariance, const Names& names) {
  math::Vector all(objective.size() * objective.size());
  objective.hessian_matrix(all);
  const std::vector<std::size_t> coordinates(frame.coordinates.begin(), frame.coordinates.end());
  return invert_curvature(all, coordinates, frame.flat_rows, objective.problem().shape, with_covariance,
                          names);
}

}  // namespace lazylogit::bayes
