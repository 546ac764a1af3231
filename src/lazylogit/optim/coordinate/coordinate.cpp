#include "lazylogit/optim/coordinate/coordinate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "lazylogit/optim/batch/descent.hpp"
#include "lazylogit/optim/batch/newton.hpp"
#include "lazylogit/optim/batch/newton_direction.hpp"
#include "lazylogit/optim/batch/vector_ops.hpp"
#include "lazylogit/optim/coordinate/column_store.hpp"
#include "lazylogit/optim/coordinate/newton_on_set.hpp"
#include "lazylogit/optim/coordinate/working_set.hpp"

namespace lazylogit::optim {
namespace {

// How many coefficients may leave their kinks in one round: few at first, when the gradient says little about
// the support, then about as many as have left already.
std::size_t room_for(std::size_t terms) { return std::max<std::size_t>(500, terms); }

// The part of the largest derivative that may be left: what the gap asked for allows, with some to spare.
double part_allowed(const Descent& descent) { return 0.5 * descent.asked_gap() / descent.estimated_gap(); }

// How precisely the model is minimized: roughly at first, and ever better near the optimum, where Newton steps converge
// quadratically; but not beyond what is asked for.
double forcing(const Descent& descent, double first_slope) {
  const double better = 2 * std::sqrt(max_abs(descent.point().pseudo()) / first_slope);
  return std::clamp(std::max(better, 0.5 * part_allowed(descent)), 0.01, 0.2);
}

// The features of the terms, and those whose derivatives say that they may soon be among them.
std::vector<std::uint8_t> likely_features(Descent& descent, const std::vector<Term>& terms) {
  constexpr double near = 0.8;
  const model::Shape& shape = descent.objective().problem().shape;
  const auto slopes = descent.objective().slopes();
  std::vector<std::uint8_t> likely(shape.num_features + 1, 0);
  for (const Term& term : terms) likely[term.feature] = 1;
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (std::abs(descent.point().gradient[i]) > near * slopes[i]) likely[i / shape.stride()] = 1;
  likely.pop_back();  // the intercept has no column
  return likely;
}

// Near the optimum most coefficients are where they should be, and a step that moves the others alone costs little more
// than the gradient that chose them.
class SteepTerms {
 public:
  // `x` must outlive this.
  explicit SteepTerms(const data::SparseMatrix& x) : x_(x) {}

  // Leaves out of `terms` what is not steep, if that is most of the work; only after a step over all terms, or one over
  // few that halved the largest derivative.
  void keep(const Descent& descent, std::vector<Term>& terms) {
    constexpr double steep = 0.1, most = 0.3, few = 0.4;
    const Point& point = descent.point();
    const double slope = max_abs(point.pseudo()),
                 least = std::clamp(part_allowed(descent), steep, most) * slope;
    const bool allowed = stepped_ && (!kept_ || slope <= 0.5 * slope_);
    slope_ = slope;
    stepped_ = true;
    kept_ = false;
    if (!allowed) return;
    if (entries_.empty()) count_entries();
    double all = 0, kept = 0;
    for (const Term& term : terms) {
      const auto cost = static_cast<double>(entries_[term.feature]);
      all += cost;
      if (std::abs(point.pseudo()[term.index]) >= least) kept += cost;
    }
    if (kept > few * all) return;
    std::erase_if(terms, [&](const Term& term) { return std::abs(point.pseudo()[term.index]) < least; });
    kept_ = true;
  }

 private:
  void count_entries() {
    entries_.assign(x_.num_features + 1, 0);
    x_.visit_rows([&](const auto& rows) {
      for (std::size_t j = 0; j < rows.num_rows; ++j)
        for (const FeatureId i : rows.row(j).ids) ++entries_[i];
    });
    entries_.back() = x_.num_rows();
  }

  const data::SparseMatrix& x_;
  std::vector<std::uint64_t> entries_;  // of each column; of the intercept; none before the first use
  double slope_ = 0;                    // the largest derivative at the last call
  bool stepped_ = false, kept_ = false;
};

// Whether rounds still lead anywhere: the error or the largest derivative has fallen lately.
class Progress {
 public:
  bool stalled(const Point& point) {
    const double slope = max_abs(point.pseudo());
    if (point.error < error_ - 1e-14 * std::abs(error_) || slope < 0.9 * slope_) {
      error_ = std::min(error_, point.error);
      slope_ = std::min(slope_, slope);
      idle_ = 0;
    }
    return ++idle_ > most_idle;
  }

 private:
  static constexpr int most_idle = 16;
  double error_ = std::numeric_limits<double>::infinity(), slope_ = error_;
  int idle_ = 0;
};

// Rounds beyond the proof of the gap asked for (FitRequest::refine), where they cost next to nothing; each leaves a part of
// the derivatives, so that it takes several for the digits of one Newton step.
class FurtherRounds {
 public:
  bool follow(Descent& descent, std::optional<Termination> end) {
    constexpr int most = 12;
    constexpr double enough = 1e-15, cheap = 1e6;
    if (end != Termination::converged || !descent.refines() || taken_ == most ||
        !(descent.estimated_gap() > enough) || descent.objective().pass_cost() > cheap)
      return false;
    descent.go_beyond();
    ++taken_;
    return true;
  }

 private:
  int taken_ = 0;
};

// As ModelDescent::work: what one minimization of the model may take, before Newton steps with a factored Hessian are worth
// more, which do not mind how columns resemble each other. Infinite where there are none.
double work_worth_newton_steps(const objective::Posterior& objective) {
  // A step along a column waits for memory where a Hessian multiplies and adds; with kinks a Hessian is factored often.
  constexpr double several = 8, multiply_adds = 4, factors = 10;
  constexpr double little = 1e7;  // what is over soon is not worth leaving for good
  if (!factoring_pays(objective) || objective.slopes().empty())
    return std::numeric_limits<double>::infinity();
  const auto size = static_cast<double>(objective.size());
  const double newton_step =
      objective.pass_cost() + objective.matrix_cost() + factors * size * size * size / 24;
  return std::max(little, several * newton_step / multiply_adds);
}

}  // namespace

FitSummary coordinate_rounds(Descent& descent, bool may_leave) {
  constexpr int refresh_every = 10;
  const objective::Problem& problem = descent.request().problem;
  ColumnStore columns(*problem.x);
  NewtonOnSet newton(problem, columns, descent.point().b);
  const double first_slope = max_abs(descent.point().pseudo());
  std::vector<Term> terms;
  std::size_t set_size = 0;
  SteepTerms steep(*problem.x);
  Progress progress;
  FurtherRounds further;
  const double most_work =
      may_leave ? work_worth_newton_steps(descent.objective()) : std::numeric_limits<double>::infinity();
  newton.limit_work(most_work);
  std::optional<Termination> end;
  for (int round = 1; !end; ++round) {
    terms = working_set(descent, newton.intercepts(), room_for(set_size));
    set_size = terms.size();
    if (std::any_of(terms.begin(), terms.end(), [&](const Term& term) {
          return term.feature < columns.num_features() && !columns.has(term.feature);
        }))
      columns.require(likely_features(descent, terms));
    steep.keep(descent, terms);
    newton.step(terms, forcing(descent, first_slope), [&] { return descent.stopped(); });
    if (round % refresh_every == 0) newton.refresh();
    descent.move_to(newton.b());
    end = descent.check();
    if (further.follow(descent, end)) end.reset();
    if (!end && newton.work() >= most_work) return newton_steps(descent, Leaving::no);
    if (!end && progress.stalled(descent.point())) end = Termination::no_progress;
  }
  return descent.finish(*end);
}

FitSummary run_coordinate(const FitRequest& request) {
  Descent descent(request);
  if (const auto end = descent.check()) return descent.finish(*end);
  return coordinate_rounds(descent, request.batch.may_change);
}

}  // namespace lazylogit::optim
