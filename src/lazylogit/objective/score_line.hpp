// The scores of all rows at a point b and along a direction d, class by class: what a method needs that
// changes few coefficients at a time and knows X·d itself.
//
//   L(t) = −Σ_j w_j log p(c_j | S_j + t D_j),     S = X b,  D = X d
//   L'(0) = Σ_j w_j Σ_c (p_jc − I(c_j = c)) D_jc
//
// With centers (centering.hpp) X stands for the centred columns. Of choices the probability is that of being taken.
// Of a number "probability" means the prediction S, and the target stands for the indicator; labels have indicators of
// their own each.
//
// Vector by vector (S_·c of all rows contiguous), so that work on one class stays in cache. Values along the
// line cost one softmax per row, no pass over the entries. Three numbers per row and vector are kept. Threads
// change no byte.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/objective/row_holds.hpp"

namespace lazylogit::objective {

class ScoreLine {
 public:
  explicit ScoreLine(const Problem& problem);

  // Scores and probabilities at b, direction 0; returns L(0). One pass over the entries.
  double set_point(std::span<const double> b);
  // L(t); probabilities are left as they are at t.
  double value_at(double t);
  double slope() const;  // L'(0); needs probabilities at t = 0
  // Holds the rows (row_holds.hpp) whose losses at t = 1 are above what the quadratic model about t = 0 with this damping and
  // these holds foretold, each vector by itself. `promised`: what the slope says the step gains; rows that matter little
  // beside it are left alone. Returns how many were found.
  std::size_t hold(double damping, double promised, RowHolds& holds) const;
  // The direction is 0 and the probabilities are those at t = 0 again.
  void forget_direction();
  // Makes t = `t` the new origin, with direction 0. Probabilities must be those at `t`.
  void accept(double t);

  std::size_t num_rows() const noexcept { return num_rows_; }
  std::size_t num_vectors() const noexcept { return vectors_; }
  const data::SparseMatrix& x() const noexcept { return *problem_.x; }
  const double* probabilities(std::size_t vector) const noexcept { return at(probabilities_, vector); }
  const double* direction(std::size_t vector) const noexcept { return at(direction_, vector); }
  double* direction(std::size_t vector) noexcept { return direction_.data() + vector * num_rows_; }
  double weight(std::size_t row) const noexcept { return problem_.weight(row); }
  std::span<const double> weights() const noexcept { return problem_.weights; }  // empty: all 1
  // Of classes: the vector of each row's label, beyond the last one for the reference class.
  std::span<const std::uint32_t> label_vectors() const noexcept { return label_vectors_; }
  // What the probability should have been: 1 where the row's label is the class of this vector (or one of its labels),
  // else 0; or the number.
  double target(std::size_t row, std::size_t vector) const noexcept {
    if (!problem_.targets.empty()) return problem_.targets[row];
    if (!members_.empty()) return members_[vector * num_rows_ + row];
    return label_vectors_[row] == vector ? 1.0 : 0.0;
  }
  // The second derivative of the row's loss in the score of this vector, without the weight.
  double curvature(std::size_t row, std::size_t vector) const noexcept {
    if (!problem_.targets.empty()) return 1;
    const double p = probabilities_[vector * num_rows_ + row];
    return p * (1 - p);
  }
  // Whether the scores of several vectors share their curvature.
  bool coupled() const noexcept { return problem_.shape.response == data::Response::classes; }
  // Where choices end, whose rows share their curvature; empty: rows are by themselves.
  std::span<const std::uint64_t> choice_ends() const noexcept { return problem_.choice_ends; }
  // What is taken off the column of a feature.
  double center(std::size_t feature) const noexcept {
    return problem_.centers.empty() ? 0.0 : problem_.centers[feature];
  }
  bool has_centers() const noexcept { return !problem_.centers.empty(); }

 private:
  const double* at(const math::Vector& v, std::size_t vector) const noexcept {
    return v.data() + vector * num_rows_;
  }
  double one_vector(std::size_t begin, std::size_t end, double t);
  double several_vectors(std::size_t begin, std::size_t end, double t);
  double choices(double t);
  double number(std::size_t begin, std::size_t end, double t);
  double labels(std::size_t begin, std::size_t end, double t);

  Problem problem_;
  std::size_t num_rows_, vectors_;
  std::vector<std::uint32_t> label_vectors_;  // classes: beyond the last vector for the reference class
  std::vector<std::uint8_t> members_;         // labels: 1 where the row has the label, vector by vector
  math::Vector scores_, direction_, probabilities_;
};

}  // namespace lazylogit::objective
