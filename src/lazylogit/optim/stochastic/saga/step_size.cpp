#include "lazylogit/optim/stochastic/saga/step_size.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/optim/stochastic/row_buffer.hpp"

namespace lazylogit::optim {

math::Vector saga_metric(const objective::Problem& problem, std::span<const std::uint64_t> rows) {
  const model::Shape& shape = problem.shape;
  math::Vector squares(shape.num_rows(), 0.0), counts(shape.num_rows(), 0.0);
  RowBuffer row(problem);
  for (const std::uint64_t r : rows) {
    row.load(r);
    for (std::size_t k = 0; k < row.size(); ++k) {
      squares[row.id(k)] += row.value(k) * row.value(k);
      if (row.value(k) != 0) counts[row.id(k)] += 1;
    }
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
      lengths_(problem.x->num_rows(), 0.0),
      scores_(problem.shape.num_vectors()) {
  // The largest curvature of a loss in its scores.
  const double bound = problem.shape.response == data::Response::number   ? 1.0
                       : problem.shape.response == data::Response::labels ? 0.25
                       : problem.shape.num_vectors() == 1                 ? 0.25
                                                                          : 0.5;
  RowBuffer row(problem);
  largest_ = 0;
  for (const std::uint64_t r : rows) {
    row.load(r);
    for (std::size_t k = 0; k < row.size(); ++k)
      lengths_[r] += metric[row.id(k)] * row.value(k) * row.value(k);
    largest_ = std::max(largest_, bound * problem.weight(r) * lengths_[r]);
  }
  if (!(largest_ > 0)) largest_ = 1;
  curvature_ = largest_ / 8;
  fade_ = std::pow(0.5, 1 / static_cast<double>(std::max<std::size_t>(1, rows.size())));
}

void SagaStep::observe(std::size_t row, const double* s, const double* r, double loss) {
  double square = 0;
  for (std::size_t c = 0; c < scores_.size(); ++c) square += r[c] * r[c];
  const double slope = square * lengths_[row];
  curvature_ = std::max({curvature_ * fade_, least_, 1e-6 * largest_});
  // Nats have a scale of their own; that of numbers is their loss.
  const double least_slope = problem_.shape.response == data::Response::number ? 1e-8 * loss : 1e-8;
  if (slope < least_slope || curvature_ >= largest_) {
    curvature_ = std::min(curvature_, largest_);
    return;
  }
  while (curvature_ < largest_) {
    for (std::size_t c = 0; c < scores_.size(); ++c) scores_[c] = s[c] - r[c] * lengths_[row] / curvature_;
    probe_(row, problem_.weight(row), scores_.data());
    if (probe_.take_loss() <= loss - 0.5 * slope / curvature_) return;
    curvature_ = std::min(2 * curvature_, largest_);
  }
}

void SagaStep::retreat() noexcept {
  least_ = std::min(largest_, std::max(2 * least_, largest_ / 64));
  curvature_ = std::max(curvature_, least_);
}

}  // namespace lazylogit::optim
