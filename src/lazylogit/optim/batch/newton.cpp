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
        descent.free(i) ? -descent.point().pseudo[i] / std::max(std::abs(direction[i]), 1e-12) : 0.0;
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
    if (rests != (before.b[i] == kink) || (rests && now.pseudo[i] != 0)) return true;
  }
  return false;
}

// Conjugate gradients, preconditioned by the diagonal until they have taken as many products as a factor of the Hessian
// costs: where curvatures spread so widely, that factor is worth its price, and serves several steps.
class TruncatedSteps {
 public:
  explicit TruncatedSteps(const objective::Objective& objective)
      : price_(objective.slopes().empty() ? factor_in_products(objective) : std::nullopt) {}

  void direction(Descent& descent, double forcing, math::Vector& direction) {
    constexpr int most = 500, stale = 40;
    if (wanted_) factor_ = std::make_unique<FactoredHessian>(descent, 0);
    const int allowed =
        factor_ != nullptr || !price_ ? most : static_cast<int>(std::clamp(*price_, 30.0, 500.0));
    const int taken = truncated_direction(descent, forcing, 0, direction, factor_.get(), allowed);
    if (taken == 0) factor_.reset();
    wanted_ = price_ && taken >= (factor_ != nullptr ? stale : allowed);
  }

 private:
  std::optional<double> price_;
  std::unique_ptr<FactoredHessian> factor_;
  bool wanted_ = false;
};

}  // namespace

FitSummary newton_steps(Descent& descent) {
  TruncatedSteps truncated(descent.objective());
  const bool factored = factoring_pays(descent.objective());
  Refinement refinement(descent, factored);
  const double first = max_abs(descent.point().pseudo);
  math::Vector direction;
  for (;;) {
    if (factored && support_moves(descent)) {
      proximal_direction(descent, direction);
    } else if (factored) {
      factored_direction(descent, 0, direction);
    } else {
      const double progress = max_abs(descent.point().pseudo) / first;
      truncated.direction(descent, std::clamp(std::sqrt(progress) * 0.5, 1e-4, 0.1), direction);
    }
    if (!descent.search(direction, 1, SearchRule::armijo())) {
      if (descent.interrupted()) return descent.finish(Termination::no_progress);
      scaled_gradient(descent, direction);
      if (!descent.search(direction, 1, SearchRule::armijo()))
        return descent.finish(refinement.without_progress());
    }
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
