// Errors about posteriors that do not exist: which coefficients are to blame.
#pragma once

#include <cstddef>
#include <span>

#include "lazylogit/bayes/curvature_frame.hpp"

namespace lazylogit::bayes {

// Below this reciprocal condition of a Hessian scaled by its diagonal, digits of standard errors are lost.
inline constexpr double smallest_rcond = 1e-13;

// InputError naming the coefficients of the direction in which a scaled Hessian (n × n) is smallest.
[[noreturn]] void refuse_singular(std::span<const double> scaled, std::span<const std::size_t> coordinates,
                                  const model::Shape& shape, const Names& names);

// InputError about one coefficient without curvature.
[[noreturn]] void refuse_undetermined(const model::Shape& shape, std::size_t coordinate, const Names& names);

}  // namespace lazylogit::bayes
