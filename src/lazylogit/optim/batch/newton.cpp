#include "lazylogit/optim/batch/newton.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/batch/refinement.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"

namespace lazylogit::optim {
namespace {

// Down the diagonally scaled gradient: what is left to try when the Newton direction does not descend.
void scaled_gradient(Descent& descent, math::Vector& direction) {
  direction.resize(descent.point().b.size());
  descent.objective().set_curvature_point(descent.point().b);
  descent.objective().hessian_diagonal(direction);
  for (std::size_t i = 0; i < direction.size(); ++i)
    direction[i] =
        descent.free(i) ? -descent.point().pseudo()[i] / std::max(std::abs(direction[i]), 1e-12) : 0.0;
}

// Whether the last step changed which coordinates rest at their kinks, or one of them wants to leave now.
bool support_moves(Descent& descent) {
  const auto slopes = descent.objective().slopes();
  const auto kinks = descent.objective().kinks();
  const Point &now = descent.point(), &before = descent.previous();
  if (slopes.empty()) return false;
  if (before.b.size() != now.b.size()) return true;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    if (slopes[i] == 0) continue;
    const double kink = kinks.empty() ? 0.0 : kinks[i];
    const bool rests = now.b[i] == kink;
    if (rests != (before.b[i] == kink) || (rests && now.pseudo()[i] != 0)) return true;
  }
  return false;
}

// Conjugate gradients, preconditioned by the diagonal until they have taken as many products as a factor of the Hessian
// costs, in one step or, with some patience, in several: where curvatures spread so widely, that factor is worth its
// price, and serves several steps.
class TruncatedSteps {
 public:
  explicit TruncatedSteps(const objective::Objective& objective)
      : price_(objective.slopes().empty() ? factor_in_products(objective) : std::nullopt) {}

  void direction(Descent& descent, double forcing, math::Vector& direction) {
    constexpr int most = 500, stale = 40;
    constexpr double patience = 1.5;
    constexpr double least = 1e-7;  // as a preconditioner
    if (wanted_) {
      factor_ = std::make_unique<FactoredHessian>(descent, 0, least);
      spent_ = 0;
    }
    const int allowed =
        factor_ != nullptr || !price_ ? most : static_cast<int>(std::clamp(*price_, 30.0, 500.0));
    const int taken = truncated_direction(descent, forcing, 0, direction, factor_.get(), allowed);
    if (taken == 0) factor_.reset();
    spent_ += taken;
    wanted_ = price_ && (taken >= (factor_ != nullptr ? stale : allowed) || spent_ >= patience * *price_);
  }

 private:
  std::optional<double> price_;
  std::unique_ptr<FactoredHessian> factor_;
  bool wanted_ = false;
  double spent_ = 0;  // products since the last factor
};

// How far the quadratic model holds: rows that are settled have no curvature, so that a Newton step may carry their scores
// anywhere, and one row with large values then cuts the step for all. ν holds scores back where that happens
// (objective.hpp). The minimum of an exact model gains half of what the slope promised; much less, or a step that had to
// be cut, means that it went beyond where the model holds.
class ScoreDamping {
 public:
  explicit ScoreDamping(Descent& descent)
      : used_(descent.objective().convex() && !descent.may_be_separated()),
        kinks_(!descent.objective().slopes().empty()) {}

  double value() const noexcept { return value_; }
  // After a step along `direction`.
  void adapt(const Descent& descent, const math::Vector& direction) {
    if (!used_) return;
    const double step = descent.last_step();
    const double predicted = step * dot(descent.previous().pseudo(), direction);
    const double change = descent.point().error - descent.previous().error;
    const double noise = 1e-13 * std::abs(descent.point().error);
    // What a step gains that ends at kinks is no measure of the model.
    const double gain = !kinks_ && std::abs(predicted) > noise ? change / predicted : 0.5;
    if (step == 1 && gain > 0.4)
      value_ = value_ > 1e-6 ? 0.1 * value_ : 0.0;
    else if (step < 1 || gain < 0.2)
      value_ = std::min(1.0, std::max(1e-3, value_) * (step < 0.2 ? 10 : 3));
  }

 private:
  bool used_, kinks_;
  double value_ = 0;
};

}  // namespace

FitSummary newton_steps(Descent& descent) {
  TruncatedSteps truncated(descent.objective());
  const bool factored = factoring_pays(descent.objective());
  Refinement refinement(descent, factored);
  const double first = max_abs(descent.point().pseudo());
  ScoreDamping damping(descent);
  math::Vector direction;
  for (;;) {
    descent.objective().set_damping(damping.value());
    if (factored && support_moves(descent)) {
      proximal_direction(descent, direction);
    } else if (factored) {
      factored_direction(descent, 0, direction);
    } else {
      const double progress = max_abs(descent.point().pseudo()) / first;
      truncated.direction(descent, std::clamp(std::sqrt(progress) * 0.5, 1e-4, 0.1), direction);
    }
    descent.objective().set_damping(0);  // proofs are about the error as it is
    if (!descent.search(direction, 1, SearchRule::armijo())) {
      if (descent.interrupted()) return descent.finish(Termination::no_progress);
      scaled_gradient(descent, direction);
      if (!descent.search(direction, 1, SearchRule::armijo()))
        return descent.finish(refinement.without_progress());
    }
    damping.adapt(descent, direction);
    if (const auto end = descent.check())
      if (!refinement.goes_on(*end)) return descent.finish(*end);
  }
}

FitSummary run_newton(const FitRequest& request) {
  Descent descent(request);
  if (const auto end = descent.check()) return descent.finish(*end);
  return newton_steps(descent);
}

}  // namespace lazylogit::optim
