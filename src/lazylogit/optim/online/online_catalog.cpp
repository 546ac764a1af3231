#include <fmt/format.h>

#include <array>
#include <type_traits>

#include "lazylogit/base/error.hpp"
#include "lazylogit/optim/online/gradient_steps.hpp"
#include "lazylogit/optim/online/online_learner.hpp"

namespace lazylogit::optim {
namespace {

std::optional<std::string> accepts_all(const OnlineSettings&) { return std::nullopt; }

std::optional<std::string> needs_rate(const OnlineSettings& settings) {
  if (settings.rate) return std::nullopt;
  return "in a stream the optimizer \"sgd\" needs a --learning-rate; adagrad, the default, needs none";
}

template <bool adaptive>
std::unique_ptr<OnlineLearner> make_gradient(const OnlineSettings& settings) {
  return std::visit(
      [&]<class P>(const P& prior) -> std::unique_ptr<OnlineLearner> {
        return std::make_unique<GradientSteps<P, adaptive>>(prior, settings);
      },
      settings.prior);
}

constexpr std::array catalog{
    OnlineEntry{"adagrad", "a rate for each coefficient, in the units of its feature; needs no tuning",
                accepts_all, make_gradient<true>},
    OnlineEntry{"sgd", "one learning rate that falls by a schedule", needs_rate, make_gradient<false>},
};

}  // namespace

std::span<const OnlineEntry> online_learners() { return catalog; }

const OnlineEntry* find_online_learner(std::string_view name) {
  for (const OnlineEntry& entry : catalog)
    if (entry.name == name) return &entry;
  return nullptr;
}

double scalar(const Scalars& scalars, std::string_view name) {
  for (const auto& [key, value] : scalars)
    if (key == name) return value;
  throw InputError({.message = fmt::format("the model's state lacks {}", name), .code = "bad-model"});
}

}  // namespace lazylogit::optim
