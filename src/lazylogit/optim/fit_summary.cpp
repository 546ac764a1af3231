#include "lazylogit/optim/fit_summary.hpp"

namespace lazylogit::optim {

std::string_view termination_name(Termination reason) {
  switch (reason) {
    case Termination::converged:
      return "converged";
    case Termination::tolerance:
      return "tolerance";
    case Termination::max_passes:
      return "max_passes";
    case Termination::max_seconds:
      return "max_seconds";
    case Termination::plateau:
      return "plateau";
    case Termination::no_progress:
      return "no_progress";
    case Termination::separation:
      return "separation";
    case Termination::numeric_failure:
      return "numeric_failure";
    case Termination::cancelled:
      return "cancelled";
  }
  return "unknown";
}

}  // namespace lazylogit::optim
