// The loop of stochastic gradient descent over any ledger (lazy_ledger.hpp has the interface).
//
// A step: scores with the coefficients as they are, their gradient Σ x (p_c − [label = c]) w, coefficients
// moved by −η times its mean over the mini-batch, and then the prior acts for η/n: one n-th of its
// pull against the mean gradient of one example, so that the fixed point is the optimum for any batch size.
#pragma once

#include <algorithm>
#include <utility>

#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/residual.hpp"

namespace lazylogit::optim {

template <class Ledger>
class LedgerLearner {
 public:
  LedgerLearner(const objective::Problem& problem, double num_examples, Ledger ledger)
      : problem_(&problem),
        residual_(problem),
        num_examples_(num_examples),
        vectors_(problem.shape.num_vectors()),
        padded_(vectors_ == 1 ? 1 : (vectors_ + 8) / 8 * 8),
        cleared_(problem.shape.response == data::Response::classes ? residual_.room() : vectors_),
        ledger_(std::move(ledger)) {}

  double learn(std::span<const std::uint64_t> rows, const Schedule& schedule, Position at,
               std::uint64_t batch_size) {
    if (batch_size > 1) return learn_batches(rows, schedule, at, batch_size);
    scores_.assign(padded_, 0.0);
    double* s = scores_.data();
    const bool steady = schedule.constant_within_epoch();
    double rate = schedule.at(at.epoch, at.example);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!steady) rate = schedule.at(at.epoch, at.example + i);
      const double weight = problem_->weight(rows[i]);
      if constexpr (!requires { Ledger::replaces_scores; }) std::fill_n(s, padded_, 0.0);
      if (i + 1 < rows.size()) announce(rows[i + 1]);
      ledger_.scores(rows[i], s);
      // Done while the residual, which everything else waits for, is on its way.
      if (i + 2 * ahead < rows.size()) prefetch_place(rows[i + 2 * ahead]);
      if (i + ahead < rows.size()) prefetch(rows[i + ahead]);
      if (i + records_ahead < rows.size()) prefetch_records(rows[i + records_ahead]);
      residual_(rows[i], weight, s, -rate);
      clear_padding(s);
      ledger_.update(rows[i], s);
      ledger_.advance(rate / num_examples_, 1);
    }
    return residual_.take_loss();
  }

  void finish(std::span<double> coefficients) { ledger_.finish(coefficients); }

 private:
  static constexpr std::size_t ahead = 4;  // examples between a prefetch and its use
  // Coefficients take as long as a short example; their ids must be there when they are asked for.
  static constexpr std::size_t records_ahead = 2;

  void prefetch_place(std::size_t row) const {
    lazylogit::prefetch(problem_->labels.data() + row);
    if (!problem_->weights.empty()) lazylogit::prefetch(problem_->weights.data() + row);
    if constexpr (requires { ledger_.prefetch_place(row); }) ledger_.prefetch_place(row);
  }
  void prefetch(std::size_t row) const {
    if constexpr (requires { ledger_.prefetch(row); }) ledger_.prefetch(row);
  }
  void announce(std::size_t row) {
    if constexpr (requires { ledger_.announce(row); }) ledger_.announce(row);
  }
  void prefetch_records(std::size_t row) const {
    if constexpr (requires { ledger_.prefetch_records(row); }) ledger_.prefetch_records(row);
  }
  // Kernels rely on zeros behind the steps.
  void clear_padding(double* s) const noexcept {
    for (std::size_t c = cleared_; c < padded_; ++c) s[c] = 0;
  }

  double learn_batches(std::span<const std::uint64_t> rows, const Schedule& schedule, Position at,
                       std::uint64_t batch_size) {
    for (std::size_t from = 0; from < rows.size(); from += batch_size) {
      const std::size_t count = std::min<std::size_t>(batch_size, rows.size() - from);
      const double rate = schedule.at(at.epoch, at.example + from);
      scores_.assign(count * padded_, 0.0);
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t row = rows[from + i];
        double* s = &scores_[i * padded_];
        ledger_.scores(row, s);
        residual_(row, problem_->weight(row), s, -rate / static_cast<double>(count));
        clear_padding(s);
      }
      for (std::size_t i = 0; i < count; ++i) ledger_.update(rows[from + i], &scores_[i * padded_]);
      ledger_.advance(rate / num_examples_, count);
    }
    return residual_.take_loss();
  }

  const objective::Problem* problem_;
  Residual residual_;
  double num_examples_;
  std::size_t vectors_, padded_;
  std::size_t cleared_;  // how many numbers residuals leave as steps are to be
  Ledger ledger_;
  math::Vector scores_;
};

}  // namespace lazylogit::optim
