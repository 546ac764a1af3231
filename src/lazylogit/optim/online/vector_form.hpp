// Which vectors an online learner has for so many classes (online_learner.hpp). Learners split b with 0 − b/2, so that
// records without anything stay +0: whether a feature was known before the split leaves no trace.
#pragma once

#include <cstddef>
#include <variant>

#include "lazylogit/optim/online/online_learner.hpp"

namespace lazylogit::optim {

struct VectorForm {
  std::size_t vectors = 1;
  bool reference = true;  // class 0 has no vector
};

inline VectorForm vector_form(std::size_t num_classes, const OnlineSettings& settings) noexcept {
  if (settings.response == data::Response::number) return {1, false};
  if (settings.response == data::Response::labels) return {num_classes < 1 ? 1 : num_classes, false};
  const std::size_t classes = num_classes < 2 ? 2 : num_classes;
  const bool is_uniform = std::holds_alternative<prior::Uniform>(settings.prior);
  const bool reference = !settings.symmetric && (classes == 2 || is_uniform);
  return {reference ? classes - 1 : classes, reference};
}

}  // namespace lazylogit::optim
