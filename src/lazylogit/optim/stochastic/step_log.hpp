// The discrete prior steps of an epoch, h_t = η_t/n for t = 0, 1, …, and what a catch-up asks of a stretch
// [from, now) of them:
//
//   sum          Σ h_t
//   log_product  Σ ln(1 − p h_t) for a precision p ≥ 0; −∞ as soon as one p h_t ≥ 1 (the step reaches the
//   mode)
//
// While all steps are equal a count is all that is kept: m h and m·log1p(−p h). Otherwise prefix sums
// S^(q)_t = Σ_{s<t} h_s^q serve every precision at once,
//   Σ ln(1 − p h_t) = −Σ_q p^q (S^(q)_now − S^(q)_from)/q ,
// with as many powers as the largest p h_t needs for full precision (truncated after Q: relative error below
// (p h)^Q). Where p h_t > 1/8, which takes a learning rate beyond any use, the stretch is walked step by
// step. Restarted every epoch, after a full catch-up, so sums stay short; they are compensated.
#pragma once

#include <cstddef>
#include <vector>

namespace lazylogit::optim {

class StepLog {
 public:
  // `max_precision`: the largest p that log_product will be asked about.
  explicit StepLog(double max_precision) : max_precision_(max_precision) {}

  void restart() noexcept;
  void append(double h, std::size_t count);

  std::size_t size() const noexcept { return count_; }
  double at(std::size_t t) const noexcept { return steps_.empty() ? h_ : steps_[t]; }
  double sum(std::size_t from) const noexcept;
  double log_product(double precision, std::size_t from) const noexcept;

 private:
  void expand();  // from a count to prefix sums
  void push(double h);

  double max_precision_;
  double h_ = 0;  // every step so far, while steps_ is empty
  double h_max_ = 0;
  std::size_t count_ = 0;
  std::size_t powers_ = 1;            // Q
  std::vector<double> steps_;         // empty while all steps are equal
  std::vector<double> prefix_;        // (count + 1) × Q
  std::vector<double> compensation_;  // Q
};

}  // namespace lazylogit::optim
