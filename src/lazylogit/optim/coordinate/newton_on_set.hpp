// Proximal Newton steps on a working set; see coordinate.hpp.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/score_line.hpp"
#include "lazylogit/optim/coordinate/quadratic_model.hpp"

namespace lazylogit::optim {

class NewtonOnSet {
 public:
  // `columns` and the problem's parts must outlive this; `b` is where the steps begin.
  NewtonOnSet(const objective::Problem& problem, const ColumnStore& columns, const math::Vector& b);

  const math::Vector& b() const noexcept { return b_; }
  std::span<const FreeIntercept> intercepts() const noexcept { return intercepts_; }

  // Computes the scores anew, without the rounding of all steps so far.
  void refresh() { loss_ = line_.set_point(b_); }

  // Takes one step over `terms`, to the minimum of the model as closely as `forcing` says (SweepRule). False: none
  // lowered the error; the scores have been computed anew.
  bool step(std::vector<Term>& terms, double forcing, const std::function<bool()>& interrupted);

  // From now on no minimization of the model takes more work than this (ModelDescent::work); its step is taken as it is then.
  void limit_work(double most) { most_work_ = most; }
  // Of the last step: the most that one minimization took.
  double work() const noexcept { return work_; }

 private:
  void prepare(std::vector<Term>& terms);
  void minimize(std::vector<Term>& terms, double forcing, const std::function<bool()>& interrupted);
  struct Taken {
    double factor = 0;  // of the step; 0: none lowers the error
    double gain = 0;    // how much the error fell, as a fraction of what its slope alone promised
  };
  enum class Length {
    whole,
    any
  };  // whole: the step as it is, if it gains a good part of what its slope promises
  Taken search(std::vector<Term>& terms, Length length);
  void adapt_damping(const Taken& taken);
  double penalty(const std::vector<Term>& terms, double t) const;

  const objective::Problem& problem_;
  math::Vector b_;
  objective::ScoreLine line_;
  QuadraticModel model_;
  std::vector<FreeIntercept> intercepts_;
  objective::RowHolds holds_;
  std::size_t held_terms_ = 0;  // of the last step that held rows back
  double loss_ = 0;
  double damping_ = 0.05;
  double most_work_ = std::numeric_limits<double>::infinity(), work_ = 0;
  bool may_hold_;        // rows alone are to blame for steps that are too long
  double promised_ = 0;  // by the slope of the last step that was looked at
};

}  // namespace lazylogit::optim
