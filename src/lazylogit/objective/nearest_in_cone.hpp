// The point nearest to s of the cone {d : A d ≥ 0}, by the active set method of Lawson and Hanson for its dual, nonnegative
// least squares:
//
//   d = s + Aᵀ λ,   λ ≥ 0,   λ_j > 0 only where (A d)_j = 0
//
// d = 0 where no direction of the cone has s·d > 0, and otherwise s·d = |d|² > 0. Cost: for each row that enters or leaves
// the active set, about as many as columns, a step of an orthogonal factorization, and now and then one product with A.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <optional>

namespace lazylogit::objective {

// What a search may still cost.
struct WorkLeft {
  double multiplications = 0;
  std::function<bool()> interrupted = {};

  // False: no more.
  bool spend(double more) {
    multiplications -= more;
    return multiplications > 0 && !(interrupted && interrupted());
  }
};

// `columns`: the rows of A, of length 1, as columns. Nothing where the work is used up, or rounding has the method circle.
std::optional<Eigen::VectorXd> nearest_in_cone(const Eigen::MatrixXd& columns, const Eigen::VectorXd& s,
                                               WorkLeft& work);

}  // namespace lazylogit::objective
