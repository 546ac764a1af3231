#include "lazylogit/optim/batch/newton.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/batch/refinement.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"
#include "lazylogit/optim/coordinate/coordinate.hpp"

namespace lazylogit::optim {
namespace {

// Down the diagonally scaled gradient: what is left to try when the Newton direction does not descend. Far out every
// probability is 0 or 1 and curvatures have vanished; then those where all scores are 0 tell how far steps may go.
void scaled_gradient(Descent& descent, math::Vector& direction) {
  objective::Objective& objective = descent.objective();
  const std::size_t size = descent.point().b.size();
  direction.resize(size);
  math::Vector least(size, 0.0);
  objective.set_curvature_point(math::Vector(size, 0.0));
  objective.hessian_diagonal(least);
  objective.set_curvature_point(descent.point().b);
  objective.hessian_diagonal(direction);
  for (std::size_t i = 0; i < size; ++i) {
    const double curvature = std::max({std::abs(direction[i]), least[i], 1e-12});
    direction[i] = descent.free(i) ? -descent.point().pseudo()[i] / curvature : 0.0;
  }
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
// price, and serves until as many products are spent again.
class TruncatedSteps {
 public:
  // `anew`: the second derivatives are others than those of the last direction. `may_leave`: a step that crawls ends early, as
  // the next one is another method's.
  void direction(Descent& descent, double forcing, bool anew, bool may_leave, math::Vector& direction) {
    constexpr int long_step = 50, several = 3;
    constexpr int most = 500, stale = 40, few = 10;
    constexpr double patience = 1.5;
    constexpr double least = 1e-7;  // as a preconditioner
    descent.objective().set_curvature_point(descent.point().b);
    const std::optional<double> price =
        descent.objective().slopes().empty() ? factor_in_products(descent.objective(), least) : std::nullopt;
    if (wanted_ || (anew && factor_ != nullptr)) {
      factor_ = std::make_unique<FactoredHessian>(descent, 0, least);
      spent_ = 0;
    }
    const auto within = [&](int low, int high) {
      return price ? static_cast<int>(std::clamp<double>(*price, low, high)) : high;
    };
    const bool dear = factor_ == nullptr && price && *price > several * long_step;
    const int allowed = factor_ != nullptr ? most : may_leave && dear ? long_step : within(30, most);
    const int taken = truncated_direction(descent, forcing, 0, direction, factor_.get(), allowed);
    if (taken == 0) factor_.reset();
    spent_ += taken;
    if (dear && factor_ == nullptr && taken >= long_step) crawls_ = true;
    const double enough = factor_ != nullptr ? within(few, stale) : std::max<double>(price.value_or(0), few);
    wanted_ = price && (taken >= enough || spent_ >= patience * std::max<double>(*price, few));
  }

  // Whether a step has cost many products, and a factor would cost more than several such steps.
  bool crawls() const noexcept { return crawls_; }

 private:
  std::unique_ptr<FactoredHessian> factor_;
  bool wanted_ = false, crawls_ = false;
  double spent_ = 0;  // products since the last factor
};

// How far the quadratic model holds: a step that it foretold wrongly is not shortened for all rows, but taken again with
// those rows held back that it went wrong in (objective/row_holds.hpp). The minimum of an exact model gains half of what
// the slope promised; much less means that it went beyond where the model holds, much more that rows are held too tight.
class HeldSteps {
 public:
  explicit HeldSteps(Descent& descent)
      : descent_(descent), used_(descent.objective().convex() && !descent.may_be_separated()) {}

  // `find` sets the direction; its argument says whether rows are held that were not before.
  template <class Find>
  bool take(const Find& find, math::Vector& direction) {
    constexpr int most = 10;
    constexpr double eased = 0.1, renewed = 0.5;  // share of the holds that is left for the next step
    find_with_holds(find, false);
    bool moved = false;
    int k = 0;
    for (; used_ && k < most && !moved && !descent_.interrupted(); ++k) {
      moved = descent_.search(direction, 1, SearchRule::full_step());
      if (moved || descent_.interrupted() || !hold(direction)) break;
      find_with_holds(find, true);
    }
    const bool tried = used_ && !moved;
    if (!moved && !(tried && descent_.interrupted()))
      moved = descent_.search(direction, 1, SearchRule::armijo());
    descent_.objective().keep_holds(k == 0 ? eased : renewed);
    return moved;
  }

 private:
  template <class Find>
  void find_with_holds(const Find& find, bool anew) {
    descent_.objective().use_holds(true);
    find(anew);
    descent_.objective().use_holds(false);  // proofs are about the error as it is
  }

  // Of the step that was refused.
  bool hold(const math::Vector& direction) {
    const double slope = dot(descent_.point().pseudo(), direction);
    return slope < 0 && std::isfinite(descent_.refused().error) &&
           descent_.objective().hold(descent_.point().b, descent_.refused().b, -slope) > 0;
  }

  Descent& descent_;
  bool used_;
};

// Whether to leave for columns: asked after every step, while the end is not near. With a kink, fits that the steps suit are
// over or beyond half way after as many passes.
class Crawl {
 public:
  Crawl(Descent& descent, Leaving leaving)
      : may_leave_(leaving == Leaving::if_slow && descent.request().batch.may_change &&
                   descent.request().problem.prior->coupling() == nullptr),
        few_rows_(descent.request().problem.x->num_rows() < descent.point().b.size()),
        kinks_(!descent.objective().slopes().empty()) {}

  // Whether to do so where steps take many products.
  bool for_products(const Descent& descent) const {
    constexpr double far = 100;
    return may_leave_ && few_rows_ && descent.estimated_gap() > far * descent.asked_gap();
  }

  bool seen(Descent& descent, const TruncatedSteps& truncated) const {
    constexpr double half_way = 0.1, falling = 0.9;
    constexpr std::uint64_t many_passes = 55;
    if (!may_leave_) return false;
    if (for_products(descent) && truncated.crawls()) return true;
    return kinks_ && descent.passes() >= many_passes && descent.estimated_gap() > half_way &&
           descent.point().error > falling * descent.previous().error;
  }

 private:
  bool may_leave_, few_rows_, kinks_;
};

}  // namespace

FitSummary newton_steps(Descent& descent, Leaving leaving) {
  TruncatedSteps truncated;
  const bool factored = factoring_pays(descent.objective());
  Refinement refinement(descent, factored);
  const double first = max_abs(descent.point().pseudo());
  HeldSteps steps(descent);
  const Crawl crawl(descent, leaving);
  math::Vector direction;
  const auto find = [&](bool anew) {
    if (factored && support_moves(descent)) return proximal_direction(descent, direction);
    if (factored) return factored_direction(descent, 0, direction);
    const double progress = max_abs(descent.point().pseudo()) / first;
    truncated.direction(descent, std::clamp(std::sqrt(progress) * 0.5, 1e-4, 0.1), anew,
                        crawl.for_products(descent), direction);
  };
  for (;;) {
    if (!steps.take(find, direction)) {
      if (descent.interrupted()) return descent.finish(Termination::no_progress);
      scaled_gradient(descent, direction);
      if (!descent.search(direction, 1, SearchRule::armijo()))
        return descent.finish(refinement.without_progress());
    }
    if (const auto end = descent.check())
      if (!refinement.goes_on(*end)) return descent.finish(*end);
    if (crawl.seen(descent, truncated)) return coordinate_rounds(descent);
  }
}

FitSummary run_newton(const FitRequest& request) {
  Descent descent(request);
  if (const auto end = descent.check()) return descent.finish(*end);
  return newton_steps(descent);
}

}  // namespace lazylogit::optim
