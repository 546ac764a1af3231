// Steps with a factored Hessian beyond the proof of the gap asked for (FitRequest::refine), where they cost next to
// nothing: at most two, none where the gap is at the limit of rounding.
#pragma once

#include "lazylogit/optim/batch/descent.hpp"

namespace lazylogit::optim {

class Refinement {
 public:
  Refinement(Descent& descent, bool factored)
      : descent_(descent), wanted_(factored && descent.refines() && step_is_cheap(descent.objective())) {}

  // Whether another step follows although the last check said `end`.
  bool goes_on(Termination end) noexcept {
    constexpr int most = 2;
    constexpr double enough = 1e-15;
    if (end != Termination::converged || !wanted_ || taken_ == most || !(descent_.estimated_gap() > enough))
      return false;
    descent_.go_beyond();
    ++taken_;
    return true;
  }
  // What it means that no step lowers the error.
  Termination without_progress() const noexcept {
    return taken_ > 0 ? Termination::converged : Termination::no_progress;
  }

 private:
  static bool step_is_cheap(const objective::Objective& objective) {
    const auto size = static_cast<double>(objective.size());
    return objective.matrix_cost() + objective.pass_cost() + size * size * size / 6 <= 1e8;
  }

  Descent& descent_;
  bool wanted_;
  int taken_ = 0;
};

}  // namespace lazylogit::optim
