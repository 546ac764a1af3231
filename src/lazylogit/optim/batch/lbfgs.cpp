#include "lazylogit/optim/batch/lbfgs.hpp"

#include <cmath>
#include <vector>

#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/lbfgs_memory.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"

namespace lazylogit::optim {
namespace {

// When to leave L-BFGS for Newton steps: once its own rate of convergence says that the passes still needed
// cost more than a few Newton steps, which depend less on how the curvatures spread. The first passes say little about the
// rate to come, so that a good part of what Newton steps cost is spent before the forecast counts: leaving late then costs
// no more than that part, leaving early may cost several times the whole fit. As long as the error itself falls by a
// tenth in as many steps as a Newton step costs, these are worth as much.
class Forecast {
 public:
  Forecast(const objective::Objective& objective, std::size_t memory)
      : newton_passes_(newton_in_lbfgs_steps(objective, memory)) {}

  // To be told the estimated relative gap and the error after every step.
  bool newton_is_faster(double gap, double asked, double error) {
    gaps_.push_back(gap);
    errors_.push_back(error);
    if (gaps_.size() <= window + 2 || static_cast<double>(gaps_.size()) < worth_trying * newton_passes_)
      return false;
    const auto one_step =
        std::clamp(static_cast<std::size_t>(newton_passes_ / 4), window, errors_.size() - 1);
    if (error < falling * errors_[errors_.size() - 1 - one_step]) return false;
    const double rate = std::log(gaps_[gaps_.size() - 1 - window] / gap) / static_cast<double>(window);
    return !(rate > 0) || std::log(gap / asked) / rate > newton_passes_;
  }

 private:
  static constexpr std::size_t window = 6;
  static constexpr double worth_trying = 0.4, falling = 0.9;
  double newton_passes_;
  std::vector<double> gaps_, errors_;
};

}  // namespace

FitSummary run_lbfgs(const FitRequest& request) {
  Descent descent(request);
  std::optional<Termination> end = descent.check();
  if (end) return descent.finish(*end);
  LbfgsMemory memory_of_steps(request.batch.memory, inverse_diagonal(descent));
  Forecast forecast(descent.objective(), request.batch.memory);
  math::Vector direction;
  int steps = 0;
  while (!end) {
    memory_of_steps.direction(descent.point().pseudo(), direction);
    // Fixed coordinates have no gradient, so no pair moves them; those at a kink may have moved before.
    for (std::size_t i = 0; i < descent.objective().slopes().size(); ++i)
      if (!descent.free(i) || direction[i] * descent.point().pseudo()[i] > 0) direction[i] = 0;
    if (!descent.search(direction, 1, SearchRule::weak_wolfe())) {
      if (descent.interrupted()) return descent.finish(Termination::no_progress);
      if (memory_of_steps.empty()) return newton_steps(descent);
      memory_of_steps.clear();
      continue;
    }
    memory_of_steps.add(descent.previous(), descent.point());
    end = descent.check();
    if (!end && request.batch.may_change && descent.objective().slopes().empty() &&
        forecast.newton_is_faster(descent.estimated_gap(), descent.asked_gap(), descent.point().error))
      return newton_steps(descent);
    // Without a prior on the features the optimum may be at infinity: Newton steps show that soonest.
    if (!end && descent.may_be_separated() && ++steps > 30 && factoring_pays(descent.objective()))
      return newton_steps(descent);
  }
  return descent.finish(*end);
}

}  // namespace lazylogit::optim
