// Lazy updates under one flow for all coefficients, on the vector kernels: the quick forms of
// lazy_ledger.hpp, whose interface they have and whose results they share to rounding.
//
//   OneVectorLedger<P>  one vector of [coefficient, clock] pairs
//   WideLedger<P>       several vectors, records of whole cache lines
// P has clocks (Laplace, elastic net, Cauchy); Gaussian and uniform priors have scaled_ledger.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/kernels/row_kernels.hpp"
#include "lazylogit/optim/stochastic/prior_step.hpp"
#include "lazylogit/optim/stochastic/record_table.hpp"
#include "lazylogit/optim/stochastic/row_entries.hpp"

namespace lazylogit::optim {

// The record of the intercept, which every example touches.
template <class P>
class InterceptRecord {
 public:
  InterceptRecord(const objective::Problem& problem, const prior::SharedPrior<P>& view)
      : prior_(view.prior),
        present_(problem.shape.has_intercept),
        penalized_(present_ && view.penalized(problem.shape.intercept_index(0))) {}
  void catch_up(double* b, std::size_t vectors, const FlowStep& step) {
    if (penalized_)
      for (std::size_t c = 0; c < vectors; ++c) b[c] = step.apply(prior_, b[c], clock_);
    clock_ = step.now();
  }
  bool present() const noexcept { return present_; }
  void restart() noexcept { clock_ = 0; }

 private:
  P prior_;
  bool present_, penalized_;
  double clock_ = 0;
};

// Calls body(entries) with features [0, count) in turn, as rows of ones: how everything is caught up at once.
constexpr std::size_t stretch_length = 256;
template <class Body>
void for_stretches(std::size_t count, Body&& body) {
  std::array<FeatureId, stretch_length> ids;
  for (std::size_t from = 0; from < count; from += stretch_length) {
    const std::size_t size = std::min(stretch_length, count - from);
    std::iota(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(size), static_cast<FeatureId>(from));
    body(RowEntries{ids.data(), nullptr, size});
  }
}

template <class P>
class OneVectorLedger {
 public:
  OneVectorLedger(const objective::Problem& problem, const prior::SharedPrior<P>& view,
                  std::span<const double> start)
      : prior_(view.prior),
        entries_(*problem.x),
        kernels_(clocked_kernels<P>(value_type(*problem.x))),
        table_(problem.shape, start),
        features_(problem.shape.num_features),
        intercept_(problem, view),
        caught_(std::max(entries_.longest(), stretch_length) + 16) {}

  static constexpr bool replaces_scores = true;
  void scores(std::size_t row, double* s) {
    flush();
    pending_ = entries_.row(row);
    pending_now_ = step_.now();
    s[0] = kernels_.catch_up(prior_, table_.data(), pending_, pending_now_, caught_.data());
    if (intercept_.present()) {
      intercept_.catch_up(table_.record(features_), 1, step_);
      s[0] += *table_.record(features_);
    }
    waiting_ = row;
  }
  void update(std::size_t row, const double* step) {
    if (waiting_ == row) {
      kernels_.write_back(table_.data(), pending_, pending_now_, step[0], caught_.data());
      waiting_ = nothing;
    } else {
      flush();
      kernels_.add(table_.data(), entries_.row(row), step[0]);
    }
    if (intercept_.present()) *table_.record(features_) += step[0];
  }
  void advance(double h, std::size_t /*examples*/) { step_.advance(h, 1); }
  void prefetch_place(std::size_t row) const { entries_.prefetch_place(row); }
  void prefetch(std::size_t row) const { entries_.prefetch(row); }
  void prefetch_records(std::size_t row) const {
    entries_.prefetch_records(row, table_.values(), table_.width());
  }

  void finish(std::span<double> out) {
    flush();
    const double now = step_.now();
    if (intercept_.present()) intercept_.catch_up(table_.record(features_), 1, step_);
    const ClockedKernels<P> kernels = clocked_kernels<P>(ValueType::ones);
    for_stretches(features_, [&](const RowEntries& stretch) {
      kernels.catch_up(prior_, table_.data(), stretch, now, caught_.data());
      kernels.write_back(table_.data(), stretch, 0, 0, caught_.data());
    });
    table_.copy_to(out);
    intercept_.restart();
    step_.restart();
  }

 private:
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  // In a mini-batch the next row may touch the same records: what was caught up must be in the table first.
  void flush() {
    if (waiting_ != nothing) kernels_.write_back(table_.data(), pending_, pending_now_, 0, caught_.data());
    waiting_ = nothing;
  }

  P prior_;
  EntryTable entries_;
  ClockedKernels<P> kernels_;
  RecordTable table_;
  std::size_t features_;
  InterceptRecord<P> intercept_;
  FlowStep step_;
  math::Vector caught_;
  RowEntries pending_{};
  double pending_now_ = 0;
  std::size_t waiting_ = nothing;  // the row whose caught-up coefficients are in scratch only
};

template <class P>
class WideLedger {
 public:
  WideLedger(const objective::Problem& problem, const prior::SharedPrior<P>& view,
             std::span<const double> start)
      : prior_(view.prior),
        entries_(*problem.x),
        kernels_(wide_kernels<P>(value_type(*problem.x))),
        table_(problem.shape, start),
        features_(problem.shape.num_features),
        intercept_(problem, view),
        zeros_(table_.width(), 0.0),
        times_(std::max(entries_.longest(), stretch_length) + 16) {}

  static constexpr bool replaces_scores = true;
  void scores(std::size_t row, double* s) {
    const double* start = zeros_.data();
    if (intercept_.present()) {
      intercept_.catch_up(table_.record(features_), table_.vectors(), step_);
      start = table_.record(features_);
    }
    kernels_.catch_up(prior_, table_.data(), table_.width(), entries_.row(row), next_, step_.now(),
                      {start, 1, s}, times_.data());
    timed_ = row;
  }
  void update(std::size_t row, const double* step) {
    const RowEntries entries = entries_.row(row);
    const double now = step_.now();
    if (row != timed_) kernels_.refresh(prior_, table_.data(), table_.width(), entries, now, times_.data());
    kernels_.update(prior_, table_.data(), table_.width(), entries, now, times_.data(), step, 1);
    timed_ = nothing;
    next_ = {};
    if (!intercept_.present()) return;
    double* b = table_.record(features_);
    for (std::size_t c = 0; c < table_.width(); ++c) b[c] += step[c];
  }
  void advance(double h, std::size_t /*examples*/) { step_.advance(h, 1); }
  void prefetch_place(std::size_t row) const { entries_.prefetch_place(row); }
  void prefetch(std::size_t row) const { entries_.prefetch(row); }
  void announce(std::size_t row) { next_ = entries_.row(row); }

  void finish(std::span<double> out) {
    const double now = step_.now();
    if (intercept_.present()) intercept_.catch_up(table_.record(features_), table_.vectors(), step_);
    const WideKernels<P> kernels = wide_kernels<P>(ValueType::ones);
    math::Vector unused(table_.width());
    for_stretches(features_, [&](const RowEntries& stretch) {
      kernels.catch_up(prior_, table_.data(), table_.width(), stretch, {}, now,
                       {zeros_.data(), 1, unused.data()}, times_.data());
      kernels.update(prior_, table_.data(), table_.width(), stretch, 0, times_.data(), zeros_.data(), 1);
      for (std::size_t k = 0; k < stretch.size; ++k) table_.clock(stretch.ids[k]) = 0;
    });
    timed_ = nothing;
    table_.copy_to(out);
    intercept_.restart();
    step_.restart();
  }

 private:
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
  P prior_;
  EntryTable entries_;
  WideKernels<P> kernels_;
  RecordTable table_;
  std::size_t features_;
  InterceptRecord<P> intercept_;
  FlowStep step_;
  math::Vector zeros_, times_;
  std::size_t timed_ = nothing;  // the row that times_ is of
  RowEntries next_{};            // whose records are asked for while the row before it is learned
};

}  // namespace lazylogit::optim
