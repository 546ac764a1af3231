// The loop of stochastic training over ledgers that are given gradients (rule_ledger.hpp, ftrl_ledger.hpp).
//
// A step: scores with the coefficients as they are; the gradient of each touched coefficient, Σ x (p_c − [label = c]) w,
// as a mean over the mini-batch; a touch for each feature that occurs in it; then the prior of η/n becomes due.
// Cost per example: its non-zeros times the vectors. An example may be a choice: the row is then its first one, and the
// gradient that of all its candidates.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/stochastic/choice_residuals.hpp"
#include "lazylogit/optim/stochastic/learner.hpp"
#include "lazylogit/optim/stochastic/residual.hpp"
#include "lazylogit/optim/stochastic/row_buffer.hpp"
#include "lazylogit/optim/stochastic/rules/rule.hpp"

namespace lazylogit::optim {

template <class Ledger>
class GradientLearner {
 public:
  GradientLearner(const objective::Problem& problem, double num_examples, Ledger ledger)
      : problem_(&problem),
        residual_(problem),
        row_(problem),
        num_examples_(num_examples),
        vectors_(problem.shape.num_vectors()),
        ledger_(std::move(ledger)) {}

  double learn(std::span<const std::uint64_t> rows, const Schedule& schedule, Position at,
               std::uint64_t batch_size) {
    for (std::size_t from = 0; from < rows.size(); from += batch_size) {
      const std::size_t count = std::min<std::size_t>(batch_size, rows.size() - from);
      const double rate = schedule.at(at.epoch, at.example + from);
      const Pace pace{rate, std::min(1.0, rate / schedule.rate)};
      if (count == 1 && problem_->choice_ends.empty())
        learn_one(rows[from], pace);
      else
        learn_batch(rows.subspan(from, count), pace);
      ledger_.advance(rate / num_examples_, count);
    }
    return residual_.take_loss() + std::exchange(choice_loss_, 0.0);
  }

  void finish(std::span<double> coefficients) { ledger_.finish(coefficients); }

 private:
  // Scores, then residuals times the example's weight, of the row that is left in row_.
  void residuals(std::uint64_t row, double* s) {
    row_.load(row);
    for (std::size_t k = 0; k < row_.size(); ++k) ledger_.add_scores(row_.id(k), row_.value(k), s);
    residual_(row, problem_->weight(row), s);
  }

  void learn_one(std::uint64_t row, Pace pace) {
    scores_.assign(residual_.room(), 0.0);
    gradient_.resize(vectors_);
    residuals(row, scores_.data());
    for (std::size_t k = 0; k < row_.size(); ++k) {
      for (std::size_t c = 0; c < vectors_; ++c) gradient_[c] = row_.value(k) * scores_[c];
      ledger_.touch(row_.id(k), gradient_.data(), pace);
    }
  }

  void learn_batch(std::span<const std::uint64_t> rows, Pace pace) {
    if (sums_.empty()) {
      sums_.assign(problem_->shape.num_rows() * vectors_, 0.0);
      seen_.assign(problem_->shape.num_rows(), 0);
    }
    const double share = 1 / static_cast<double>(rows.size());
    for (const std::uint64_t row : rows) {
      if (!problem_->choice_ends.empty()) {
        add_choice(row, share);
        continue;
      }
      scores_.assign(residual_.room(), 0.0);
      residuals(row, scores_.data());
      add_gradient(scores_.data(), share);
    }
    for (const std::size_t feature : touched_) {
      double* gradient = &sums_[feature * vectors_];
      ledger_.touch(feature, gradient, pace);
      std::fill_n(gradient, vectors_, 0.0);
      seen_[feature] = 0;
    }
    touched_.clear();
  }

  // Adds x rᵀ of the row in row_ to the sums.
  void add_gradient(const double* r, double share) {
    for (std::size_t k = 0; k < row_.size(); ++k) {
      const std::size_t feature = row_.id(k);
      if (seen_[feature] == 0) touched_.push_back(feature);
      seen_[feature] = 1;
      for (std::size_t c = 0; c < vectors_; ++c)
        sums_[feature * vectors_ + c] += share * row_.value(k) * r[c];
    }
  }

  void add_choice(std::uint64_t first, double share) {
    const std::size_t last = example_end(*problem_, first);
    candidates_.assign(last - first, 0.0);
    for (std::size_t j = first; j < last; ++j) {
      row_.load(j);
      for (std::size_t k = 0; k < row_.size(); ++k)
        ledger_.add_scores(row_.id(k), row_.value(k), &candidates_[j - first]);
    }
    choice_loss_ += choice_residuals(*problem_, first, candidates_);
    for (std::size_t j = first; j < last; ++j) {
      row_.load(j);
      add_gradient(&candidates_[j - first], share);
    }
  }

  const objective::Problem* problem_;
  Residual residual_;
  double choice_loss_ = 0;
  RowBuffer row_;
  double num_examples_;
  std::size_t vectors_;
  Ledger ledger_;
  math::Vector scores_, gradient_;
  std::vector<double> candidates_;
  math::Vector sums_;               // mini-batches: gradients of the touched features, else 0
  std::vector<std::uint8_t> seen_;  // whether a feature is in touched_
  std::vector<std::size_t> touched_;
};

}  // namespace lazylogit::optim
