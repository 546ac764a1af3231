#include "lazylogit/optim/stochastic/schedule.hpp"

namespace lazylogit::optim {

std::optional<std::string_view> robbins_monro_failure(ScheduleKind kind, bool falls) noexcept {
  constexpr std::string_view finite =
      "the rates have a finite sum, so training may stop short of the optimum";
  if (falls) {
    if (kind == ScheduleKind::inverse || kind == ScheduleKind::exponential) return finite;
    return std::nullopt;
  }
  switch (kind) {
    case ScheduleKind::constant:
      return "the rates do not fall, so the coefficients go on moving about the optimum";
    case ScheduleKind::power:
      return "the squares of the rates have no finite sum, so the coefficients settle slowly";
    case ScheduleKind::exponential:
      return finite;
    case ScheduleKind::inverse:
    case ScheduleKind::adaptive:
      break;
  }
  return std::nullopt;
}

}  // namespace lazylogit::optim
