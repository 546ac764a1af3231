#include "lazylogit/optim/holdout_watch.hpp"

#include <fmt/format.h>

namespace lazylogit::optim {

double HoldoutWatch::look(std::span<const double> coefficients, std::uint64_t pass) {
  if (!*loss_) return std::numeric_limits<double>::quiet_NaN();
  const double loss = (*loss_)(coefficients);
  if (!patience_) return loss;
  ++looks_;
  if (loss < best_loss_ || looks_ == 1) {
    best_loss_ = loss;
    best_pass_ = pass;
    since_best_ = 0;
    best_.assign(coefficients.begin(), coefficients.end());
  } else {
    ++since_best_;
  }
  return loss;
}

std::string HoldoutWatch::plateau_text() const {
  return fmt::format("the held-out loss has not fallen {}; {}",
                     since_best_ == 1 ? "in the last step" : fmt::format("in {} steps", since_best_),
                     best_text());
}

std::string HoldoutWatch::best_text() const {
  return fmt::format("kept are the coefficients after pass {}, whose held-out loss is {:.5g}", best_pass_,
                     best_loss_);
}

}  // namespace lazylogit::optim
