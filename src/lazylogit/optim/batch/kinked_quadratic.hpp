// The minimum of a quadratic with kinks, given by its whole matrix:
//
//   gᵀx + ½ xᵀHx + Σ_i l_i |start_i + x_i|
//
// Sweeps over the coordinates find those that rest at their kinks, and a factor of H on the others brings these to
// their minimum at once, however its curvatures spread. Along that step the kinks on the way are counted in exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "lazylogit/math/vector.hpp"

namespace lazylogit::optim {

struct KinkedQuadratic {
  std::span<const double> matrix;  // H: symmetric, row by row
  std::span<const double> gradient, start, slopes;
  std::span<const std::uint8_t> fixed;  // 1: stays at 0; may be empty
};

// x, as precisely as a last sweep tells that moves less than `precision` of what the first one did.
math::Vector minimum_of(const KinkedQuadratic& quadratic, double precision,
                        const std::function<bool()>& interrupted);

}  // namespace lazylogit::optim
