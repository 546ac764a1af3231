#include "lazylogit/optim/stochastic/step_log.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lazylogit::optim {
namespace {

constexpr double series_limit = 0.125;  // 16 powers suffice up to here

std::size_t powers_for(double a) noexcept {
  std::size_t powers = 1;
  for (double term = a; term > 1e-17 && powers < 17; term *= a) ++powers;
  return powers;
}

}  // namespace

void StepLog::restart() noexcept {
  count_ = 0;
  h_max_ = 0;
  steps_.clear();
  prefix_.clear();
}

void StepLog::append(double h, std::size_t count) {
  if (count_ == 0) h_ = h;
  if (h != h_ && steps_.empty()) expand();
  h_max_ = std::max(h_max_, h);
  if (steps_.empty() && h == h_)
    count_ += count;
  else
    for (std::size_t i = 0; i < count; ++i) push(h);
}

void StepLog::expand() {
  powers_ = powers_for(std::min(series_limit, max_precision_ * h_max_));
  compensation_.assign(powers_, 0.0);
  prefix_.assign(powers_, 0.0);
  const std::size_t equal = count_;
  count_ = 0;
  for (std::size_t i = 0; i < equal; ++i) push(h_);
}

void StepLog::push(double h) {
  steps_.push_back(h);
  ++count_;
  const std::size_t last = prefix_.size() - powers_;
  double power = 1;
  for (std::size_t q = 0; q < powers_; ++q) {
    power *= h;
    const double term = power - compensation_[q];
    const double next = prefix_[last + q] + term;
    compensation_[q] = (next - prefix_[last + q]) - term;
    prefix_.push_back(next);
  }
}

double StepLog::sum(std::size_t from) const noexcept {
  if (steps_.empty()) return static_cast<double>(count_ - from) * h_;
  return prefix_[count_ * powers_] - prefix_[from * powers_];
}

double StepLog::log_product(double precision, std::size_t from) const noexcept {
  constexpr double reaches_mode = -std::numeric_limits<double>::infinity();
  if (from == count_) return 0;
  if (steps_.empty())
    return precision * h_ < 1 ? static_cast<double>(count_ - from) * std::log1p(-precision * h_)
                              : reaches_mode;
  if (precision * h_max_ > series_limit) {
    double sum = 0;
    for (std::size_t t = from; t < count_; ++t) {
      if (precision * steps_[t] >= 1) return reaches_mode;
      sum += std::log1p(-precision * steps_[t]);
    }
    return sum;
  }
  const double* low = &prefix_[from * powers_];
  const double* high = &prefix_[count_ * powers_];
  double sum = 0, power = 1;
  for (std::size_t q = 0; q < powers_; ++q) {
    power *= precision;
    sum += power * (high[q] - low[q]) / static_cast<double>(q + 1);
  }
  return -sum;
}

}  // namespace lazylogit::optim
