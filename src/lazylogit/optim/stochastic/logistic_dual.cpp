#include "lazylogit/optim/stochastic/logistic_dual.hpp"

namespace lazylogit::optim {
namespace {

// What a score t means: p = 1/(1 + e^−t), and e^−|t| for what else is asked.
struct Logistic {
  explicit Logistic(double t) noexcept : score(t), tail(std::exp(-std::abs(t))) {
    p = (t > 0 ? 1.0 : tail) / (1 + tail);
  }
  // ln(1 + e^t)
  double log_sum() const noexcept { return std::max(score, 0.0) + std::log1p(tail); }

  double score, tail, p = 0;
};

// The root of t − s + a (sigmoid(t) − q), near enough beside how far it is from s.
Logistic solve(Logistic at, double a, double q) noexcept {
  constexpr int most_steps = 8;
  constexpr double enough = 0.01;
  const double s = at.score;
  double low = s + a * (q - 1), high = s + a * q;
  const double first = std::abs(a * (at.p - q));
  for (int step = 0; step < most_steps; ++step) {
    const double off = at.score - s + a * (at.p - q);
    if (std::abs(off) <= enough * first * (step > 0)) break;
    (off > 0 ? high : low) = at.score;
    const double next = at.score - off / (1 + a * at.p * (1 - at.p));
    at = Logistic(next >= low && next <= high ? next : 0.5 * (low + high));
  }
  return at;
}

}  // namespace

LogisticDual::LogisticDual(const objective::Problem& problem, double variance, std::span<const double> start)
    : problem_(problem),
      variance_(variance),
      table_(problem.shape.num_features, 0.0F),
      q_(problem.x->num_rows()),
      negentropy_(problem.x->num_rows(), 0.0),
      intercepts_(problem, variance, start),
      pulls_(row_pulls(problem, variance, intercepts_.variance())) {
  for (std::size_t j = 0; j < q_.size(); ++j) q_[j] = is_positive(j) ? 1 : 0;
}

double LogisticDual::change(std::size_t j, double score, DualSums& sums) noexcept {
  const double w = problem_.weight(j), q = q_[j];
  const Logistic before(score);
  const double log_sum = before.log_sum();
  sums.gap += w * std::max(0.0, negentropy_[j] - q * score + log_sum);
  sums.loss += w * (log_sum - (is_positive(j) ? score : 0.0));
  const Logistic after = solve(before, pulls_[j], q);
  q_[j] = after.p;
  negentropy_[j] = after.p * after.score - after.log_sum();
  const double moved = w * (q - after.p), length = pulls_[j] / w - intercepts_.variance();  // σ² |x|²
  penalty_ += moved * (score - intercepts_[0] + 0.5 * length * moved);
  intercepts_.add(0, moved);
  return moved;
}

void LogisticDual::write(std::span<double> coefficients) const {
  std::copy(table_.begin(), table_.end(), coefficients.begin());
  intercepts_.write(coefficients);
}

}  // namespace lazylogit::optim
