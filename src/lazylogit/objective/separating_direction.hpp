// Whether some of the coordinates separate, decided by projections onto the cone of directions without negative margins:
// no search, but exact up to rounding.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>

#include "lazylogit/objective/nearest_in_cone.hpp"

namespace lazylogit::objective {

enum class Asked {
  some_rows,      // one margin must be positive
  as_many_as_can  // all margins that are positive along any such direction must be so
};

struct SeparatingDirection {
  Eigen::VectorXd d;       // one entry per column taken
  bool every_row = false;  // all margins are positive
};

// `margins`: as MarginMatrix has them; `taken`: its columns that may move. Nothing where no direction separates or the work
// is used up; what a margin must exceed to count as positive is 1e-9 of the largest.
std::optional<SeparatingDirection> separating_direction(const Eigen::MatrixXd& margins,
                                                        std::span<const Eigen::Index> taken, Asked asked,
                                                        WorkLeft& work);

}  // namespace lazylogit::objective
