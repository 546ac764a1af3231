// Lazy updates for any prior, any prior step, with or without averaging: a coefficient's missed
// regularization is made up just before the coefficient is read. Cost per example: its non-zeros times the
// vectors.
//
// Ledgers are what training works on. Their common interface:
//   scores(row, s)     adds the scores of an example, after catching up its coefficients; s[0, vectors), which must be 0
//                      unless the ledger has `replaces_scores`
//   update(row, step)  b_{i,c} += step_c x_i for the same example
//   advance(h, count)  after `count` examples one prior step of h has become due for every coefficient
//   finish(out)        everything due is done; writes the coefficients (or their average); clocks restart
// Pinned coefficients never move. In a mini-batch several scores() precede their update()s.
#pragma once

#include <cstddef>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/record_table.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"

namespace lazylogit::optim {

template <class View, class Step>
class LazyLedger {
 public:
  LazyLedger(const objective::Problem& problem, const View& view, Step step, std::span<const double> start,
             bool average)
      : shape_(problem.shape),
        view_(view),
        step_(std::move(step)),
        table_(problem.shape, start),
        row_(problem),
        sums_(average ? problem.shape.size() : 0, 0.0) {}

  void scores(std::size_t row, double* s) {
    row_.load(row);
    const std::size_t vectors = table_.vectors();
    for (std::size_t k = 0; k < row_.size(); ++k) {
      catch_up(row_.id(k));
      const double* b = table_.record(row_.id(k));
      for (std::size_t c = 0; c < vectors; ++c) s[c] += row_.value(k) * b[c];
    }
    loaded_ = row;
  }

  void update(std::size_t row, const double* step) {
    if (row != loaded_) row_.load(row);
    loaded_ = row;
    const std::size_t vectors = table_.vectors();
    for (std::size_t k = 0; k < row_.size(); ++k) {
      double* b = table_.record(row_.id(k));
      for (std::size_t c = 0; c < vectors; ++c)
        if (!view_.pinned(shape_.index(row_.id(k), c))) b[c] += step[c] * row_.value(k);
    }
  }

  void advance(double h, std::size_t /*examples*/) { step_.advance(h, 1); }

  void finish(std::span<double> out) {
    for (std::size_t f = 0; f < table_.num_records(); ++f) {
      catch_up(f);
      table_.clock(f) = 0;
    }
    if (sums_.empty()) {
      table_.copy_to(out);
    } else {
      total_time_ += step_.elapsed(0);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = total_time_ > 0 ? sums_[i] / total_time_ : 0;
    }
    step_.restart();
  }

 private:
  void catch_up(std::size_t feature) {
    double& clock = table_.clock(feature);
    const double from = clock;
    if (from == step_.now()) return;
    clock = step_.now();
    double* b = table_.record(feature);
    for (std::size_t c = 0; c < table_.vectors(); ++c) {
      const std::size_t i = shape_.index(feature, c);
      if (!view_.penalized(i)) {
        if (!sums_.empty()) sums_[i] += b[c] * step_.elapsed(from);
        continue;
      }
      const auto prior = view_.at(i);
      const double mean = view_.mean(i), offset = b[c] - mean;
      if (!sums_.empty()) sums_[i] += mean * step_.elapsed(from) + step_.integral(prior, offset, from);
      b[c] = mean + step_.apply(prior, offset, from);
    }
  }

  model::Shape shape_;
  View view_;
  Step step_;
  RecordTable table_;
  RowBuffer row_;
  std::size_t loaded_ = static_cast<std::size_t>(-1);
  math::Vector sums_;  // ∫ b dt so far; empty without averaging
  double total_time_ = 0;
};

}  // namespace lazylogit::optim
