// A sum that keeps what each addition rounds away (Neumaier): the error stays near one rounding whatever the
// number of terms, so long streams give the mean they have.
#pragma once

#include <cmath>

namespace lazylogit::math {

class CompensatedSum {
 public:
  void add(double term) noexcept {
    const double next = sum_ + term;
    rest_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
  }
  // Infinite sums stay infinite: their rest would be NaN.
  double value() const noexcept { return std::isfinite(sum_) ? sum_ + rest_ : sum_; }

 private:
  double sum_ = 0;
  double rest_ = 0;
};

}  // namespace lazylogit::math
