// What a user can choose about the batch optimizers; each field names the ones that use it.
#pragma once

#include <cstddef>
#include <optional>

namespace lazylogit::optim {

enum class StepRule {
  backtracking,  // halve until the error falls enough (Armijo)
  wolfe,         // and also until the slope along the direction has flattened (strong Wolfe)
  constant,      // the same step every time; the error may rise
};

struct BatchSettings {
  StepRule step_rule = StepRule::wolfe;  // gd
  std::optional<double> step;            // gd with constant steps; nothing: 1/L, L a bound on the curvature
  double momentum = 0;                   // gd: heavy ball, in [0, 1)
  double broyden = 0;                    // bfgs: 0 is BFGS, 1 is DFP, between them the convex family
  std::size_t memory = 10;               // lbfgs: pairs kept
  bool may_change = false;  // for a method that promises to be faster: lbfgs to newton, newton to columns
};

}  // namespace lazylogit::optim
