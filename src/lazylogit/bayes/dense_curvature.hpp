// The whole Hessian of the coefficients that take part, factored: covariance and log determinant of small problems.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "lazylogit/bayes/curvature_frame.hpp"

namespace lazylogit::bayes {

// The most coefficients for which the whole matrix is formed.
inline constexpr std::size_t dense_limit = 4096;

struct DenseCurvature {
  std::vector<double>
      covariance;              // lower triangle, row by row, of the frame's coordinates; only when asked for
  double log_determinant = 0;  // of the Hessian without its flat directions
};

// The same of any curvature over the layout (size × size): its inverse over the coordinates, less the flat directions.
// Throws as dense_curvature.
DenseCurvature invert_curvature(std::span<const double> matrix, std::span<const std::size_t> coordinates,
                                std::span<const std::size_t> flat_rows, const model::Shape& shape,
                                bool with_covariance, const Names& names);

// Throws InputError naming the coefficients that cannot be told apart (a singular Hessian), or that the point is not a
// minimum (an indefinite one). The objective's curvature point must be that of the frame.
DenseCurvature dense_curvature(objective::Posterior& objective, const CurvatureFrame& frame,
                               bool with_covariance, const Names& names);

}  // namespace lazylogit::bayes
