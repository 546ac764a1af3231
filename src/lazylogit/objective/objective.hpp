// What a batch optimizer knows of a problem: a function of one vector, with derivatives. Nothing about data.
//
//   F(b) = f(b) + Σ_i l_i |b_i − m_i|
//
// f is smooth (convex unless the prior is Cauchy); the sum is the L1 part of the prior, with its kinks m_i.
// Coordinates marked `fixed` (pinned by the prior, or padding of the layout) never move; their gradient,
// curvature and products are 0. Everything is called once per pass over the data, so the calls are virtual
// and each optimizer compiles once. Results do not depend on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lazylogit::objective {

class Objective {
 public:
  virtual ~Objective() = default;
  virtual std::size_t size() const = 0;
  virtual bool convex() const = 0;

  // f(b) and its gradient, which is overwritten.
  virtual double value_and_gradient(std::span<const double> b, std::span<double> gradient) = 0;

  virtual std::span<const double> slopes() const = 0;       // l; empty: no L1 part
  virtual std::span<const double> kinks() const = 0;        // m; empty: all 0
  virtual std::span<const std::uint8_t> fixed() const = 0;  // empty: none

  // Second derivatives of f are taken at the point given last to set_curvature_point (a pass,
  // unless its gradient was the last thing asked for). A gradient forgets that point: set it again.
  virtual void set_curvature_point(std::span<const double> b) = 0;
  virtual void hessian_vector(std::span<const double> v, std::span<double> out) = 0;  // one pass
  virtual void hessian_diagonal(std::span<double> out) = 0;                           // one pass
  // The whole matrix, row-major, size × size, both triangles; fixed coordinates have zero rows. For small
  // problems.
  void hessian_matrix(std::span<double> out) { hessian_matrix(out, 0); }
  // Where less will do: probabilities up to `least` may count as 0, which is what most of them are in settled rows.
  virtual void hessian_matrix(std::span<double> out, double least) = 0;
  // How far second derivatives tell the truth: holds back the part of the data (row_holds.hpp) whose error at `trial` is
  // above what they foretold at b; `promised` is what the step was to gain. Says how many rows that is.
  virtual std::size_t hold(std::span<const double> b, std::span<const double> trial, double promised) = 0;
  virtual void keep_holds(double share) = 0;  // 0: none
  virtual void use_holds(bool use) = 0;       // in second derivatives from now on
  // Multiply–adds of one data pass for one vector of products: what an optimizer weighs its choices with.
  virtual double pass_cost() const = 0;
  double matrix_cost() const { return matrix_cost(0); }
  // The same of the matrix with `least`, at the curvature point.
  virtual double matrix_cost(double least) const = 0;
  virtual std::uint64_t passes() const = 0;  // over the data, so far
};

// F's L1 part at b.
double l1_part(const Objective& objective, std::span<const double> b);

}  // namespace lazylogit::objective
