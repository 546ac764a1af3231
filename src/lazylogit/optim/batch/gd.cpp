#include "lazylogit/optim/batch/gd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "lazylogit/optim/batch/curvature_bound.hpp"
#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {
namespace {

class GradientDescent {
 public:
  explicit GradientDescent(const FitRequest& request) : settings_(request.batch), descent_(request) {}

  FitSummary run() {
    lowest_ = descent_.point().error;
    if (const auto end = descent_.check()) return descent_.finish(*end);
    const bool constant = settings_.step_rule == StepRule::constant;
    if (constant && settings_.step) {
      rate_ = *settings_.step;
    } else {
      const double curvature = constant ? bound() : curvature_here();
      rate_ = curvature > 0 ? 1 / curvature : 1.0;
    }
    for (;;) {
      set_direction(settings_.momentum);
      if (constant) {
        descent_.move(direction_);
      } else if (!search()) {
        return descent_.finish(Termination::no_progress);
      }
      moved_ = true;
      if (const auto end = descent_.check())
        return descent_.finish(*end,
                               constant && *end == Termination::numeric_failure ? too_long() : std::string());
      if (constant && stands_still())
        return descent_.finish(Termination::no_progress, has_risen() ? too_long() : std::string());
    }
  }

 private:
  void set_direction(double momentum) {
    const Point& here = descent_.point();
    direction_.resize(here.b.size());
    for (std::size_t i = 0; i < direction_.size(); ++i) {
      direction_[i] = -rate_ * here.pseudo()[i];
      if (momentum > 0 && moved_) direction_[i] += momentum * (here.b[i] - descent_.previous().b[i]);
    }
    if (momentum > 0 && !(dot(direction_, here.pseudo()) < 0) && settings_.step_rule != StepRule::constant)
      set_direction(0);
  }

  // Where passes are few, half of them are left for steps.
  std::uint64_t rounds() const { return std::max<std::uint64_t>(1, descent_.passes_left() / 2); }
  double curvature_here() {
    descent_.objective().set_curvature_point(descent_.point().b);
    return largest_curvature(
        descent_.objective(), [&](std::size_t i) { return descent_.free(i); }, rounds(),
        [&] { return descent_.interrupted(); });
  }
  double bound() {
    return curvature_bound(descent_.request().problem, rounds(), [&] { return descent_.interrupted(); });
  }

  // Whether steps of constant length no longer find a lower error. One step that is short enough always does; with momentum the
  // error goes up and down in about 1/(1 − μ) steps.
  bool stands_still() {
    constexpr double patience = 20;
    if (descent_.point().error < lowest_) {
      lowest_ = descent_.point().error;
      since_lowest_ = 0;
    } else {
      since_lowest_ += 1;
    }
    return since_lowest_ >= patience / (1 - settings_.momentum);
  }
  bool has_risen() const {
    return descent_.point().error > lowest_ + 1e-10 * std::abs(lowest_);  // beyond rounding
  }
  std::string too_long() const {
    return fmt::format(
        "steps of {} are too long: the error rises; the lowest, {:.6g}, is kept: take a shorter one, or a "
        "line search",
        settings_.step ? fmt::format("--step-size {:g}", *settings_.step) : fmt::format("{:.3g}", rate_),
        lowest_);
  }

  bool search() {
    const SearchRule rule =
        settings_.step_rule == StepRule::wolfe ? SearchRule::strong_wolfe(0.9) : SearchRule::armijo();
    if (!descent_.search(direction_, 1, rule)) {
      set_direction(0);
      if (descent_.interrupted() || !descent_.search(direction_, 1, rule)) return false;
    }
    // The next search begins near what this one accepted; a little longer, so that the rate can recover.
    rate_ *= std::min(descent_.last_step(), 8.0) * (settings_.step_rule == StepRule::wolfe ? 1.0 : 1.5);
    return true;
  }

  const BatchSettings& settings_;
  Descent descent_;
  math::Vector direction_;
  double rate_ = 1;
  bool moved_ = false;
  double lowest_ = std::numeric_limits<double>::infinity();  // of all errors, with constant steps
  double since_lowest_ = 0;                                  // steps
};

}  // namespace

FitSummary run_gd(const FitRequest& request) { return GradientDescent(request).run(); }

}  // namespace lazylogit::optim
