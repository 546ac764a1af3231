// The curvature of the quadratic model in some coefficients, as a whole matrix:
//
//   H = Σ_j w_j [ Σ_c (p_jc + ν_jc) u_jc u_jcᵀ − s_j s_jᵀ ] + prior,     s_j = Σ_c p_jc u_jc,
//
// u_jc the row's entries among the coefficients of class c. Where classes are settled in most rows, few of a row's
// coefficients count, and H costs less than some sweeps over the columns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/score_line.hpp"

namespace lazylogit::optim {

struct MatrixTerm {
  std::size_t feature;  // num_features: an intercept
  std::uint32_t vector;
  double curvature;  // the prior's
};

// H row by row, or nothing where it would take more than `most_products` multiplications or the caller wants an end.
// `damping`: ν of a row and vector. Rows must be of classes, columns without centers. Threads change no byte.
std::optional<math::Vector> model_matrix(const objective::ScoreLine& line, std::span<const MatrixTerm> terms,
                                         const std::function<double(std::size_t, std::size_t)>& damping,
                                         double most_products, const std::function<bool()>& interrupted);

}  // namespace lazylogit::optim
