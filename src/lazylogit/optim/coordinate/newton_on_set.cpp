#include "lazylogit/optim/coordinate/newton_on_set.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/math/compensated_sum.hpp"
#include "lazylogit/objective/separation.hpp"
#include "lazylogit/prior/smooth_part.hpp"

namespace lazylogit::optim {
namespace {

// R'' where it is not negative, else the curvature of the parabola that touches R at ±t and lies above it.
template <class P>
double usable_curvature(const P& p, double t) noexcept {
  const double curvature = p.curvature(t);
  return curvature >= 0 ? curvature : p.gradient(t) / t;
}

}  // namespace

NewtonOnSet::NewtonOnSet(const objective::Problem& problem, const ColumnStore& columns, const math::Vector& b)
    : problem_(problem),
      b_(b),
      line_(problem),
      model_(columns, line_, problem.shape.num_vectors()),
      intercepts_(problem.shape.num_vectors()),
      may_hold_(problem.prior->convex() && !objective::has_free_feature(problem)) {
  if (problem.shape.has_intercept) {
    const std::vector<std::uint8_t> free = objective::free_coordinates(problem);
    for (std::size_t v = 0; v < intercepts_.size(); ++v)
      intercepts_[v].present = free[problem.shape.intercept_index(v)] != 0;
  }
  refresh();
}

void NewtonOnSet::prepare(std::vector<Term>& terms) {
  problem_.prior->visit([&](const auto& view) {
    for (Term& term : terms) {
      term.start = b_[term.index] - view.mean(term.index);
      term.change = 0;
      if (!view.penalized(term.index)) continue;
      const auto prior = view.at(term.index);
      term.l1 = prior.slope();
      term.gradient = smooth_part(prior).gradient(term.start);
      term.curvature = usable_curvature(smooth_part(prior), term.start);
    }
  });
  for (FreeIntercept& intercept : intercepts_) intercept.change = 0;
}

double NewtonOnSet::penalty(const std::vector<Term>& terms, double t) const {
  return problem_.prior->visit([&](const auto& view) {
    math::CompensatedSum sum;
    for (const Term& term : terms)
      if (view.penalized(term.index)) sum.add(view.at(term.index).value(term.start + t * term.change));
    return sum.value();
  });
}

NewtonOnSet::Taken NewtonOnSet::search(std::vector<Term>& terms, Length length) {
  const double enough = length == Length::whole ? 0.25 : 1e-4;  // of what the slope promises
  const int most_trials = length == Length::whole ? 1 : 40;
  const double before = loss_ + penalty(terms, 0);
  math::CompensatedSum slope;
  slope.add(line_.slope());
  for (const Term& term : terms) {
    slope.add(term.gradient * term.change);
    slope.add(term.l1 * (std::abs(term.start + term.change) - std::abs(term.start)));
  }
  const double predicted = slope.value();
  promised_ = -predicted;
  if (!(predicted < 0)) return {};
  const double noise = 4e-15 * std::abs(before);
  double t = 1;
  for (int trial = 0; trial < most_trials; ++trial) {
    const double loss = line_.value_at(t);
    const double change = loss + penalty(terms, t) - before;
    // Near the optimum the change drowns in rounding: then a whole step is taken as it is.
    if (change <= enough * t * predicted || (t == 1 && change <= noise && -predicted <= 1e3 * noise)) {
      line_.accept(t);
      loss_ = loss;
      for (const Term& term : terms)
        if (term.change != 0) b_[term.index] = (b_[term.index] - term.start) + (term.start + t * term.change);
      for (std::size_t v = 0; v < intercepts_.size(); ++v)
        if (intercepts_[v].present) b_[problem_.shape.intercept_index(v)] += t * intercepts_[v].change;
      return {t, std::abs(change) > noise ? change / (t * predicted) : 0.5};
    }
    const double bend = change - t * predicted;
    const bool parabola = std::isfinite(change) && bend > 0;
    t *= parabola ? std::clamp(-0.5 * t * predicted / bend, 0.1, 0.5) : 0.25;
  }
  return {};
}

// The minimum of an exact model gains half of what the slope promised. Much less, or a step that had to be
// cut, means that the step went beyond where the model holds.
void NewtonOnSet::adapt_damping(const Taken& taken) {
  if (taken.factor == 1 && taken.gain > 0.4)
    damping_ = damping_ > 1e-6 ? damping_ * 0.1 : 0.0;
  else if (taken.factor < 1 || taken.gain < 0.2)
    damping_ = std::min(1.0, std::max(1e-3, damping_) * (taken.factor < 0.2 ? 10 : 3));
}

void NewtonOnSet::minimize(std::vector<Term>& terms, double forcing,
                           const std::function<bool()>& interrupted) {
  prepare(terms);
  const SweepRule rule{.forcing = forcing, .most_work = most_work_, .damping = damping_, .holds = &holds_};
  work_ = std::max(work_, model_.minimize(terms, intercepts_, rule, interrupted).work);
}

// A step that would have to be cut short is taken again with the rows held back that cut it.
bool NewtonOnSet::step(std::vector<Term>& terms, double forcing, const std::function<bool()>& interrupted) {
  constexpr int most = 8;
  constexpr double eased = 0.1, renewed = 0.5;  // share of the holds that is left for the next step
  work_ = 0;
  minimize(terms, forcing, interrupted);
  Taken taken = search(terms, may_hold_ ? Length::whole : Length::any);
  int times = 0;
  for (; may_hold_ && taken.factor == 0 && times < most && !interrupted(); ++times) {
    if (!(promised_ > 0) || line_.hold(damping_, promised_, holds_) == 0) break;
    line_.forget_direction();
    minimize(terms, forcing, interrupted);
    taken = search(terms, Length::whole);
  }
  if (may_hold_ && taken.factor == 0) {
    line_.value_at(0);
    taken = search(terms, Length::any);
  }
  // A step over few coefficients says nothing about the rows that others carry off.
  if (times > 0) held_terms_ = terms.size();
  if (2 * terms.size() > held_terms_) holds_.keep(times == 0 ? eased : renewed);
  adapt_damping(taken);
  if (taken.factor == 0) refresh();
  return taken.factor > 0;
}

}  // namespace lazylogit::optim
