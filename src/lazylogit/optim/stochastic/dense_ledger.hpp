// Updates that regularize every coefficient: at each example (Algorithm 1 of Carpenter's paper), or every N
// examples for the steps that have become due since. For comparison with lazy_ledger.hpp, whose interface it
// has. Cost of a regularization: all coefficients.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/objective/problem.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"

namespace lazylogit::optim {

template <class View, class Step>
class DenseLedger {
 public:
  DenseLedger(const objective::Problem& problem, const View& view, Step step, std::span<const double> start,
              bool average, std::uint64_t every)
      : shape_(problem.shape),
        view_(view),
        step_(std::move(step)),
        b_(start.begin(), start.end()),
        row_(problem),
        sums_(average ? b_.size() : 0, 0.0),
        every_(every) {}

  void scores(std::size_t row, double* s) {
    row_.load(row);
    for (std::size_t k = 0; k < row_.size(); ++k)
      for (std::size_t c = 0; c < shape_.num_vectors(); ++c)
        s[c] += row_.value(k) * b_[shape_.index(row_.id(k), c)];
  }

  void update(std::size_t row, const double* step) {
    row_.load(row);
    for (std::size_t k = 0; k < row_.size(); ++k)
      for (std::size_t c = 0; c < shape_.num_vectors(); ++c) {
        const std::size_t i = shape_.index(row_.id(k), c);
        if (!view_.pinned(i)) b_[i] += step[c] * row_.value(k);
      }
  }

  void advance(double h, std::size_t examples) {
    step_.advance(h, 1);
    due_ += examples;
    if (due_ >= every_) regularize();
  }

  void finish(std::span<double> out) {
    if (due_ > 0) regularize();
    total_time_ += step_.elapsed(0);
    step_.restart();
    done_ = 0;
    for (std::size_t i = 0; i < b_.size(); ++i)
      out[i] = sums_.empty() ? b_[i] : total_time_ > 0 ? sums_[i] / total_time_ : 0;
  }

 private:
  void regularize() {
    for (std::size_t f = 0; f < shape_.num_rows(); ++f)
      for (std::size_t c = 0; c < shape_.num_vectors(); ++c) {
        const std::size_t i = shape_.index(f, c);
        if (!view_.penalized(i)) {
          if (!sums_.empty()) sums_[i] += b_[i] * step_.elapsed(done_);
          continue;
        }
        const auto prior = view_.at(i);
        const double mean = view_.mean(i), offset = b_[i] - mean;
        if (!sums_.empty()) sums_[i] += mean * step_.elapsed(done_) + step_.integral(prior, offset, done_);
        b_[i] = mean + step_.apply(prior, offset, done_);
      }
    done_ = step_.now();
    due_ = 0;
  }

  model::Shape shape_;
  View view_;
  Step step_;
  math::Vector b_;
  RowBuffer row_;
  math::Vector sums_;  // ∫ b dt so far; empty without averaging
  double total_time_ = 0;
  double done_ = 0;  // the clock of all coefficients
  std::uint64_t every_, due_ = 0;
};

}  // namespace lazylogit::optim
