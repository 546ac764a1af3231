// Lazy updates under one Gaussian prior for all (or none): b = s·v with one scale s = e^{−p S} for every
// coefficient, p the precision and S the time of the flow so far. No clocks: regularizing all coefficients is
// one multiplication. Interface of lazy_ledger.hpp.
//
// s is taken from its formula every few steps and multiplied in between, and folded into v before it gets
// small.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/kernels/row_kernels.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/optim/stochastic/row_entries.hpp"

namespace lazylogit::optim {

// `Wide`: several vectors.
template <bool Wide>
class ScaledLedger {
 public:
  // precision 0: a uniform prior.
  ScaledLedger(const objective::Problem& problem, double precision, std::span<const double> start)
      : entries_(*problem.x),
        one_(plain_kernels(value_type(*problem.x))),
        wide_(wide_kernels<prior::Uniform>(value_type(*problem.x))),
        shape_(problem.shape),
        stride_(shape_.stride()),
        precision_(precision),
        intercept_penalized_(shape_.has_intercept &&
                             problem.prior->num_penalized() > shape_.intercept_index(0)),
        v_((shape_.num_features + 1) * stride_, 0.0) {
    std::copy(start.begin(), start.end(), v_.begin());
  }

  static constexpr bool replaces_scores = true;
  void scores(std::size_t row, double* s) {
    const RowEntries entries = entries_.row(row);
    if constexpr (Wide) {
      wide_.catch_up({}, v_.data(), stride_, entries, next_, 0, {intercept(), scale_, s}, nullptr);
    } else {
      s[0] = *intercept() + scale_ * one_.dot(v_.data(), entries);
    }
  }

  void update(std::size_t row, const double* step) {
    if (shape_.has_intercept) {
      double* b = intercept();
      for (std::size_t c = 0; c < stride_; ++c) b[c] += step[c];
    }
    const double inverse = 1 / scale_;
    if constexpr (Wide) {
      wide_.update({}, v_.data(), stride_, entries_.row(row), 0, nullptr, step, inverse);
      next_ = {};
    } else {
      one_.add(v_.data(), entries_.row(row), step[0] * inverse);
    }
  }

  void advance(double h, std::size_t /*examples*/) {
    if (precision_ == 0) return;
    step_.advance(h, 1);
    if (h != factor_time_) {
      factor_time_ = h;
      factor_ = std::exp(-precision_ * h);
    }
    if (intercept_penalized_)
      for (std::size_t c = 0; c < stride_; ++c) intercept()[c] *= factor_;
    scale_ *= factor_;
    if ((++steps_ & 63) == 0) scale_ = std::exp(-precision_ * step_.elapsed(scale_from_));
    if (scale_ < 1e-60) fold();
  }
  void prefetch_place(std::size_t row) const { entries_.prefetch_place(row); }
  void prefetch(std::size_t row) const { entries_.prefetch(row); }
  void announce(std::size_t row) { next_ = entries_.row(row); }
  void prefetch_records(std::size_t row) const {
    if constexpr (!Wide) entries_.prefetch_records(row, v_, stride_);
  }

  void finish(std::span<double> out) {
    fold();
    step_.restart();
    scale_from_ = 0;
    steps_ = 0;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = v_[i];
  }

 private:
  double* intercept() noexcept { return &v_[shape_.num_features * stride_]; }
  void fold() {
    if (precision_ == 0) return;
    const double scale = std::exp(-precision_ * step_.elapsed(scale_from_));
    for (std::size_t i = 0; i < shape_.num_features * stride_; ++i) v_[i] *= scale;
    scale_ = 1;
    scale_from_ = step_.now();
  }

  EntryTable entries_;
  PlainKernels one_;
  WideKernels<prior::Uniform> wide_;
  model::Shape shape_;
  std::size_t stride_;
  double precision_;
  bool intercept_penalized_;
  math::Vector v_;     // the layout of model/shape.hpp; the intercept, 0 where there is none, is not scaled
  RowEntries next_{};  // whose coefficients are asked for while the row before it is learned
  FlowStep step_;
  double scale_ = 1, scale_from_ = 0;  // s, and the time since which it has been shrinking
  double factor_time_ = 0, factor_ = 1;
  std::uint64_t steps_ = 0;
};

}  // namespace lazylogit::optim
