#include "lazylogit/optim/batch/gd.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/base/random.hpp"
#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {
namespace {

// The largest eigenvalue of the Hessian at the current point, from below, to a few percent; less precise where passes are
// few, half of which are left for steps.
double largest_curvature(Descent& descent) {
  constexpr std::uint64_t most_rounds = 30;
  const std::uint64_t rounds = std::min(most_rounds, std::max<std::uint64_t>(1, descent.passes_left() / 2));
  objective::Objective& objective = descent.objective();
  objective.set_curvature_point(descent.point().b);
  Random random(1);
  math::Vector v(objective.size()), product(objective.size());
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = descent.free(i) ? random.normal() : 0.0;
  double curvature = 0;
  for (std::uint64_t round = 0; round < rounds && !descent.interrupted(); ++round) {
    const double norm = std::sqrt(dot(v, v));
    if (!(norm > 0)) break;
    for (double& x : v) x /= norm;
    objective.hessian_vector(v, product);
    curvature = dot(v, product);
    std::swap(v, product);
  }
  return curvature;
}

class GradientDescent {
 public:
  explicit GradientDescent(const FitRequest& request) : settings_(request.batch), descent_(request) {}

  FitSummary run() {
    if (const auto end = descent_.check()) return descent_.finish(*end);
    const bool constant = settings_.step_rule == StepRule::constant;
    if (constant && settings_.step) {
      rate_ = *settings_.step;
    } else {
      const double curvature = largest_curvature(descent_);
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
      if (const auto end = descent_.check()) return descent_.finish(*end);
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
};

}  // namespace

FitSummary run_gd(const FitRequest& request) { return GradientDescent(request).run(); }

}  // namespace lazylogit::optim
