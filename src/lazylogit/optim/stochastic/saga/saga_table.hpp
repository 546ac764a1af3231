// What SAGA keeps: coefficients with clocks, the sum of all remembered gradients, and one residual per row and vector.
//
//   memory of row i: r_i,   G = Σ_i r_i x_i
//   a row with fresh residual r:  b ← b − γ D (r − r_i) x_i,   G ← G + (r − r_i) x_i,   r_i ← r
//   every row:                    all coefficients drift for the time γ/n:  db/ds = −D (G + R'(b))
//
// G_j and D_j of a coefficient rest while no row touches it, so a stretch of drift is one call of drift.hpp:
// just-in-time updates that are exact. At the optimum G + R' = 0 and r = r_i for all rows: nothing moves, whatever γ is.
// D_j = 1/(mean square of the feature's non-zero values) makes the units of features immaterial. Bounds: a path is monotone,
// so stopping it at a bound is exact (constraints.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/constraints.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"
#include "lazylogit/optim/stochastic/saga/drift.hpp"

namespace lazylogit::optim {

template <class View>
class SagaTable {
 public:
  SagaTable(const objective::Problem& problem, const View& view, std::span<const double> metric,
            std::span<const double> start, const Constraints& constraints)
      : shape_(problem.shape),
        view_(view),
        vectors_(shape_.num_vectors()),
        width_((2 * vectors_ + 2 + 3) / 4 * 4),
        table_(shape_.num_rows() * width_, 0.0),
        memory_(problem.x->num_rows() * vectors_, 0.0),
        constraints_(constraints) {
    for (std::size_t f = 0; f < shape_.num_rows(); ++f) {
      double* r = record(f);
      r[2 * vectors_] = metric[f];
      for (std::size_t c = 0; c < vectors_; ++c) {
        const std::size_t i = shape_.index(f, c);
        r[c] = view_.pinned(i) ? start[i] : constraints_.at(i).clamp(start[i]);
      }
    }
  }

  void add_scores(const RowBuffer& row, double* s) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      catch_up(row.id(k));
      const double* b = record(row.id(k));
      for (std::size_t c = 0; c < vectors_; ++c) s[c] += row.value(k) * b[c];
    }
  }

  // `residual` replaces what is remembered of the row; the coefficients move by `rate` (0: only remember).
  void replace(std::size_t index, const RowBuffer& row, const double* residual, double rate) {
    double* old = &memory_[index * vectors_];
    change_.resize(vectors_);
    for (std::size_t c = 0; c < vectors_; ++c) {
      change_[c] = residual[c] - old[c];
      old[c] = residual[c];
    }
    for (std::size_t k = 0; k < row.size(); ++k) {
      double* r = record(row.id(k));
      const double x = row.value(k), step = rate * r[2 * vectors_] * x;
      for (std::size_t c = 0; c < vectors_; ++c) {
        const std::size_t i = shape_.index(row.id(k), c);
        if (view_.pinned(i)) continue;
        r[c] = constraints_.at(i).clamp(r[c] - step * change_[c]);
        r[vectors_ + c] += x * change_[c];
      }
    }
  }

  void advance(double time) { time_.advance(time, 1); }

  void finish(std::span<double> out) {
    for (std::size_t f = 0; f < shape_.num_rows(); ++f) {
      catch_up(f);
      record(f)[width_ - 1] = 0;
      for (std::size_t c = 0; c < vectors_; ++c) out[shape_.index(f, c)] = record(f)[c];
    }
    time_.restart();
  }

 private:
  double* record(std::size_t feature) noexcept { return table_.data() + feature * width_; }

  void catch_up(std::size_t feature) {
    double* r = record(feature);
    double elapsed = time_.elapsed(r[width_ - 1]);
    if (elapsed == 0) return;
    r[width_ - 1] = time_.now();
    elapsed *= r[2 * vectors_];
    for (std::size_t c = 0; c < vectors_; ++c) {
      const std::size_t i = shape_.index(feature, c);
      if (view_.pinned(i)) continue;
      const double g = r[vectors_ + c];
      const double moved = view_.penalized(i)
                               ? view_.mean(i) + drift(view_.at(i), r[c] - view_.mean(i), g, elapsed)
                               : r[c] - g * elapsed;
      r[c] = constraints_.at(i).clamp(moved);
    }
  }

  model::Shape shape_;
  View view_;
  std::size_t vectors_, width_;
  math::Vector table_;   // [ b of each vector, G of each, D, …, clock ] of each feature
  math::Vector memory_;  // r_i
  Constraints constraints_;
  FlowStep time_;
  math::Vector change_;
};

}  // namespace lazylogit::optim
