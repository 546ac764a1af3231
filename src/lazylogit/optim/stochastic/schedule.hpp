// The learning rate as a function of progress e, counted in epochs or in examples:
//
//   constant      R
//   inverse       R / (1 + e/D)
//   power         R / √(1 + e/D)
//   exponential   R exp(−e/D)
//   adaptive      R f, with f = 1 at first, × 1.05 after each epoch in which the error fell, halved otherwise
//
// R > 0 is the initial rate, D > 0 the annealing time in the unit of e. Convergence in theory wants Σ η = ∞ and Σ η² < ∞
// (Robbins and Monro 1951), which of these `inverse` alone has.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lazylogit::optim {

enum class ScheduleKind { constant, inverse, power, exponential, adaptive };
enum class DecayPer { epoch, example };

// The list of schedules: names as typed.
struct ScheduleEntry {
  std::string_view name;
  ScheduleKind kind;
};
inline constexpr std::array<ScheduleEntry, 5> schedules{{{"constant", ScheduleKind::constant},
                                                         {"inverse", ScheduleKind::inverse},
                                                         {"power", ScheduleKind::power},
                                                         {"exponential", ScheduleKind::exponential},
                                                         {"adaptive", ScheduleKind::adaptive}}};

// Which of the conditions of Robbins and Monro a schedule fails, as a sentence; nothing where it has both, or follows
// the error instead. `falls`: the rule divides the rates by a root of time already, as AdaGrad does, whose √Σ g² grows
// with √t; a constant schedule then is its own, and η t^(−1/2) for long enough.
std::optional<std::string_view> robbins_monro_failure(ScheduleKind kind, bool falls = false) noexcept;

struct Schedule {
  ScheduleKind kind = ScheduleKind::inverse;
  DecayPer per = DecayPer::epoch;
  double rate = 1;
  double anneal = 1;
  double factor = 1;  // of the adaptive schedule so far

  // The annealing time when none is asked for: an epoch (five for the exponential), but no less than 2000 examples,
  // because an epoch of small data teaches little.
  static double default_anneal(ScheduleKind kind, DecayPer per, double num_examples) noexcept {
    const double epochs =
        (kind == ScheduleKind::exponential ? 5.0 : 1.0) * std::max(1.0, 2000.0 / num_examples);
    return per == DecayPer::epoch ? epochs : epochs * num_examples;
  }

  // At the start of a step: whole epochs and whole examples behind it.
  double at(std::uint64_t epochs, std::uint64_t examples) const noexcept {
    const double e = static_cast<double>(per == DecayPer::epoch ? epochs : examples) / anneal;
    switch (kind) {
      case ScheduleKind::constant:
        return rate;
      case ScheduleKind::inverse:
        return rate / (1 + e);
      case ScheduleKind::power:
        return rate / std::sqrt(1 + e);
      case ScheduleKind::exponential:
        return rate * std::exp(-e);
      case ScheduleKind::adaptive:
        return rate * factor;
    }
    return rate;
  }
  bool constant_within_epoch() const noexcept {
    return kind == ScheduleKind::constant || kind == ScheduleKind::adaptive || per == DecayPer::epoch;
  }
  // After an epoch, whose error was below the one before or not.
  void adapt(bool fell) noexcept {
    if (kind == ScheduleKind::adaptive) factor *= fell ? 1.05 : 0.5;
  }
};

}  // namespace lazylogit::optim
