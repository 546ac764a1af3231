// Early stopping: watches the loss on held-out rows, remembers the best coefficients, and says when the loss has
// not fallen for `patience` passes.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "lazylogit/math/vector.hpp"

namespace lazylogit::optim {

class HoldoutWatch {
 public:
  using Loss = std::function<double(std::span<const double>)>;

  // `loss` may be empty, then nothing is watched; without patience the loss is only told.
  HoldoutWatch(const Loss& loss, std::optional<std::uint64_t> patience) : loss_(&loss), patience_(patience) {}

  // The loss at these coefficients, NaN without held-out data.
  double look(std::span<const double> coefficients, std::uint64_t pass);

  bool is_plateau() const noexcept { return patience_ && looks_ > 0 && since_best_ >= *patience_; }
  // Coefficients seen before were better than those seen last.
  bool has_better() const noexcept { return patience_ && since_best_ > 0 && !best_.empty(); }
  math::Vector take_best() noexcept { return std::move(best_); }
  // About the plateau, and about the coefficients that were taken.
  std::string plateau_text() const;
  std::string best_text() const;

 private:
  const Loss* loss_;
  std::optional<std::uint64_t> patience_;
  math::Vector best_;
  double best_loss_ = std::numeric_limits<double>::infinity();
  std::uint64_t best_pass_ = 0, since_best_ = 0, looks_ = 0;
};

}  // namespace lazylogit::optim
