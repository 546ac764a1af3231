// The margins of separation.hpp as linear functions of some of the coordinates, written out: for problems of classes that
// are small enough.
//
// One row per row of data of positive weight and class other than its label. Where all intercepts may move, they take up
// the means of the columns, without which columns of large numbers are told from the intercept; columns are divided by
// their lengths, so that coordinates on different scales are alike. `coordinates` and `direction` translate. Memory: rows
// times coordinates.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

class MarginMatrix {
 public:
  static bool fits(const Problem& problem, std::size_t num_coordinates);
  // `moving`: indices of coefficients, of centred columns where the problem has centers.
  MarginMatrix(const Problem& problem, std::vector<std::size_t> moving);

  const Eigen::MatrixXd& values() const noexcept { return a_; }
  const std::vector<std::size_t>& moving() const noexcept { return moving_; }

  Eigen::VectorXd coordinates(std::span<const double> direction) const;
  // The largest entry is ±1, and what is rounding is 0.
  math::Vector direction(const Eigen::VectorXd& coordinates) const;

 private:
  model::Shape shape_;
  std::vector<std::size_t> moving_;
  std::vector<double> means_;  // that intercepts take up; empty: none
  Eigen::MatrixXd a_;
  Eigen::VectorXd scale_;
};

}  // namespace lazylogit::objective
