#include "lazylogit/optim/stochastic/saga/step_size.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/optim/stochastic/choice_residuals.hpp"

namespace lazylogit::optim {

math::Vector saga_metric(const objective::Problem& problem, std::span<const std::uint64_t> rows) {
  const model::Shape& shape = problem.shape;
  math::Vector squares(shape.num_rows(), 0.0), counts(shape.num_rows(), 0.0);
  RowBuffer row(problem);
  const bool choices = !problem.choice_ends.empty();
  math::Vector sums(choices ? shape.num_rows() : 0, 0.0);
  std::vector<std::size_t> touched;
  for (const std::uint64_t r : rows) {
    const std::size_t last = example_end(problem, r);
    for (std::size_t j = r; j < last; ++j) {
      row.load(j);
      for (std::size_t k = 0; k < row.size(); ++k) {
        squares[row.id(k)] += row.value(k) * row.value(k);
        if (row.value(k) != 0) counts[row.id(k)] += 1;
        if (!choices) continue;
        if (sums[row.id(k)] == 0) touched.push_back(row.id(k));
        sums[row.id(k)] += row.value(k);
      }
    }
    for (const std::size_t f : touched) {
      squares[f] -= sums[f] * sums[f] / static_cast<double>(last - r);
      sums[f] = 0;
    }
    touched.clear();
  }
  for (std::size_t f = 0; f < squares.size(); ++f) {
    const double d = counts[f] / squares[f];
    squares[f] = std::isfinite(d) && d > 0 ? d : 1.0;
  }
  return squares;
}

SagaStep::SagaStep(const objective::Problem& problem, std::span<const double> metric,
                   std::span<const std::uint64_t> rows)
    : problem_(problem),
      probe_(problem_),
      row_(problem_),
      metric_(metric.begin(), metric.end()),
      lengths_(problem.x->num_rows(), 0.0),
      scores_(probe_.room()),
      sums_(problem.choice_ends.empty() ? 0 : problem.shape.num_rows(), 0.0) {
  // The largest curvature of a loss in its scores.
  const double bound = problem.shape.response == data::Response::number   ? 1.0
                       : !problem.choice_ends.empty()                     ? 1.0
                       : problem.shape.response == data::Response::labels ? 0.25
                       : problem.shape.num_vectors() == 1                 ? 0.25
                                                                          : 0.5;
  largest_ = 0;
  for (const std::uint64_t r : rows) {
    row_.load(r);
    if (!problem.choice_ends.empty())
      measure_choice(r);
    else
      for (std::size_t k = 0; k < row_.size(); ++k)
        lengths_[r] += metric[row_.id(k)] * row_.value(k) * row_.value(k);
    largest_ = std::max(largest_, bound * problem.weight(r) * lengths_[r]);
  }
  if (!(largest_ > 0)) largest_ = 1;
  curvature_ = largest_ / 8;
  fade_ = std::pow(0.5, 1 / static_cast<double>(std::max<std::size_t>(1, rows.size())));
}

void SagaStep::measure_choice(std::size_t first) {
  row_.load(first);
  const RowBuffer one = row_;
  double length = 0;  // of the first candidate
  for (std::size_t k = 0; k < one.size(); ++k) {
    sums_[one.id(k)] = one.value(k);
    length += metric_[one.id(k)] * one.value(k) * one.value(k);
  }
  for (std::size_t j = first + 1; j < example_end(problem_, first); ++j) {
    row_.load(j);
    double distance = length;
    for (std::size_t k = 0; k < row_.size(); ++k)
      distance += metric_[row_.id(k)] * row_.value(k) * (row_.value(k) - 2 * sums_[row_.id(k)]);
    lengths_[first] = std::max(lengths_[first], distance);
  }
  for (std::size_t k = 0; k < one.size(); ++k) sums_[one.id(k)] = 0;
}

template <class LossAt>
void SagaStep::search(double slope, double loss, const LossAt& loss_at) {
  curvature_ = std::max({curvature_ * fade_, least_, 1e-6 * largest_});
  // Nats have a scale of their own; that of numbers is their loss.
  const double least_slope = problem_.shape.response == data::Response::number ? 1e-8 * loss : 1e-8;
  if (slope < least_slope || curvature_ >= largest_) {
    curvature_ = std::min(curvature_, largest_);
    return;
  }
  while (curvature_ < largest_) {
    if (loss_at(1 / curvature_) <= loss - 0.5 * slope / curvature_) return;
    curvature_ = std::min(2 * curvature_, largest_);
  }
}

void SagaStep::observe_choice(std::size_t first, const std::vector<double>& s, const std::vector<double>& r,
                              double loss) {
  for (std::size_t a = 0; a < s.size(); ++a) {
    row_.load(first + a);
    for (std::size_t k = 0; k < row_.size(); ++k) sums_[row_.id(k)] += r[a] * row_.value(k);
  }
  double slope = 0;
  moves_.assign(s.size(), 0.0);
  for (std::size_t a = 0; a < s.size(); ++a) {
    row_.load(first + a);
    for (std::size_t k = 0; k < row_.size(); ++k)
      moves_[a] += row_.value(k) * metric_[row_.id(k)] * sums_[row_.id(k)];
    slope += r[a] * moves_[a];
  }
  for (std::size_t a = 0; a < s.size(); ++a) {
    row_.load(first + a);
    for (std::size_t k = 0; k < row_.size(); ++k) sums_[row_.id(k)] = 0;
  }
  search(slope, loss, [&](double step) {
    trial_.resize(s.size());
    for (std::size_t a = 0; a < s.size(); ++a) trial_[a] = s[a] - step * moves_[a];
    return choice_residuals(problem_, first, trial_);
  });
}

void SagaStep::observe(std::size_t row, const double* s, const double* r, double loss) {
  double square = 0;
  const std::size_t vectors = problem_.shape.num_vectors();
  for (std::size_t c = 0; c < vectors; ++c) square += r[c] * r[c];
  search(square * lengths_[row], loss, [&](double step) {
    for (std::size_t c = 0; c < vectors; ++c) scores_[c] = s[c] - r[c] * lengths_[row] * step;
    probe_(row, problem_.weight(row), scores_.data());
    return probe_.take_loss();
  });
}

void SagaStep::retreat() noexcept {
  least_ = std::min(largest_, std::max(2 * least_, largest_ / 64));
  curvature_ = std::max(curvature_, least_);
}

}  // namespace lazylogit::optim
