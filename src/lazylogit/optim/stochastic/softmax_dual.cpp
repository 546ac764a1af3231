#include "lazylogit/optim/stochastic/softmax_dual.hpp"

#include <cmath>
#include <utility>

#include "lazylogit/math/softmax.hpp"

namespace lazylogit::optim {
namespace {

double softmax(std::span<double> s) {
  return math::apply_softmax(s, math::ReferenceClass::absent).log_sum_exp();
}

// ½ |t − s − a q|² + a ln Σ e^t
double value(std::span<const double> t, std::span<const double> s, const float* q, double a, double log_sum) {
  double sum = 0;
  for (std::size_t c = 0; c < t.size(); ++c) {
    const double off = t[c] - s[c] - a * static_cast<double>(q[c]);
    sum += off * off;
  }
  return 0.5 * sum + a * log_sum;
}

}  // namespace

double SoftmaxRowSolver::start(std::span<const double> s) {
  std::copy(s.begin(), s.end(), p_.begin());
  std::copy(s.begin(), s.end(), t_.begin());
  return log_sum_ = softmax(p_);
}

std::span<const double> SoftmaxRowSolver::solve(std::span<const double> s, const float* q, double a,
                                                double& negentropy) {
  constexpr int most_steps = 8;
  constexpr double enough = 0.1;
  const std::size_t k = s.size();
  double first = 0;
  for (int step = 0;; ++step) {
    double largest = 0;
    for (std::size_t c = 0; c < k; ++c) {
      r_[c] = t_[c] - s[c] + a * (p_[c] - static_cast<double>(q[c]));
      largest = std::max(largest, std::abs(r_[c]));
    }
    if (step == 0) first = largest;
    if (largest <= enough * first * (step > 0) || step == most_steps) break;
    newton_step(s, q, a);
  }
  negentropy = -log_sum_;
  for (std::size_t c = 0; c < k; ++c) negentropy += p_[c] * t_[c];
  return p_;
}

// t ← t − (I + a (diag p − p pᵀ))⁻¹ r, or a part of that step.
void SoftmaxRowSolver::newton_step(std::span<const double> s, const float* q, double a) {
  const std::size_t k = s.size();
  double along = 0, own = 0;
  for (std::size_t c = 0; c < k; ++c) {
    const double d = 1 + a * p_[c];
    along += p_[c] * r_[c] / d;
    own += p_[c] * p_[c] / d;
  }
  const double shared = a * along / (1 - a * own);
  double slope = 0;
  for (std::size_t c = 0; c < k; ++c) {
    const double g = r_[c];
    r_[c] = (g + shared * p_[c]) / (1 + a * p_[c]);
    slope += g * r_[c];
  }
  const double before = value(t_, s, q, a, log_sum_);
  double log_sum = 0;
  for (double part = 1; part > 1e-3; part *= 0.5) {
    for (std::size_t c = 0; c < k; ++c) next_[c] = t_[c] - part * r_[c];
    std::copy(next_.begin(), next_.end(), p_.begin());
    log_sum = softmax(p_);
    if (value(next_, s, q, a, log_sum) <= before - 1e-4 * part * slope) break;
  }
  std::swap(t_, next_);
  log_sum_ = log_sum;
}

SoftmaxDual::SoftmaxDual(const objective::Problem& problem, double variance, std::span<const double> start)
    : problem_(problem),
      vectors_(problem.shape.num_vectors()),
      stride_(problem.shape.stride()),
      variance_(variance),
      table_(problem.shape.num_features * stride_, 0.0F),
      q_(problem.x->num_rows() * vectors_, 0.0F),
      negentropy_(problem.x->num_rows(), 0.0),
      scores_(vectors_),
      wide_(stride_),
      step_(stride_, 0.0F),
      intercepts_(problem, variance, start),
      pulls_(row_pulls(problem, variance, intercepts_.variance())),
      solver_(vectors_) {
  for (std::size_t j = 0; j < problem.x->num_rows(); ++j)
    q_[j * vectors_ + static_cast<std::size_t>(problem.labels[j])] = 1;
}

void SoftmaxDual::change(std::size_t j, DualSums& sums) {
  const double w = problem_.weight(j);
  float* q = q_.data() + j * vectors_;
  double dot = 0;
  for (std::size_t c = 0; c < vectors_; ++c) {
    scores_[c] = static_cast<double>(wide_[c]) + intercepts_[c];
    dot += static_cast<double>(q[c]) * scores_[c];
  }
  const double log_sum = solver_.start(scores_);
  sums.gap += w * std::max(0.0, negentropy_[j] - dot + log_sum);
  sums.loss += w * (log_sum - scores_[static_cast<std::size_t>(problem_.labels[j])]);
  const double length = pulls_[j] / w - intercepts_.variance();  // σ² |x|²
  const std::span<const double> next = solver_.solve(scores_, q, pulls_[j], negentropy_[j]);
  for (std::size_t c = 0; c < vectors_; ++c) {
    const auto rounded = static_cast<float>(next[c]);
    const double moved = w * (static_cast<double>(q[c]) - static_cast<double>(rounded));
    q[c] = rounded;
    step_[c] = static_cast<float>(variance_ * moved);
    penalty_ += moved * (static_cast<double>(wide_[c]) + 0.5 * length * moved);
    intercepts_.add(c, moved);
  }
}

void SoftmaxDual::write(std::span<double> coefficients) const {
  std::copy(table_.begin(), table_.end(), coefficients.begin());
  intercepts_.write(coefficients);
}

}  // namespace lazylogit::optim
