#include "lazylogit/optim/coordinate/quadratic_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lazylogit/math/kink.hpp"
#include "lazylogit/optim/coordinate/column_kernels.hpp"

namespace lazylogit::optim {
namespace {

// Below this part of its own curvature what is left of a column beside the intercept is mostly rounding.
constexpr double least_centered = 1e-8;

// Sweeps that may pass without reaching the target before conjugate gradients are tried.
constexpr double sweeps_before_face = 4;

// Sweeps, or what costs as much, before a whole matrix is tried; what that may cost, in sweeps; and how precisely it is
// used, in parts of what is asked for.
constexpr double sweeps_before_matrix = 4, sweeps_for_matrix = 20, matrix_precision = 0.1;
constexpr double passes_to_enter = 6;

// A sweep over few terms counts as this part of a whole one at least.
constexpr double least_effort = 0.05;

// Moves below this part of the target are left alone until all terms are visited again.
constexpr double least_part = 0.25;

}  // namespace

QuadraticModel::QuadraticModel(const ColumnStore& columns, objective::ScoreLine& line,
                               std::size_t num_vectors)
    : columns_(columns),
      line_(line),
      vectors_(num_vectors),
      rows_(line.num_rows()),
      records_(rows_),
      step_(rows_),
      mean_(rows_),
      choices_(line) {}

void QuadraticModel::set_choice_records() {
  const double *p = line_.probabilities(0), *d = line_.direction(0);
  choices_.set(d);
  for (std::size_t j = 0; j < rows_; ++j) {
    const double w = line_.weight(j), weight = w * (p[j] + damping_);
    records_[j] = {w * (p[j] - line_.target(j, 0)) + weight * d[j], weight};
  }
}

// Goes over all rows for every class and sweep: without branches, the few rows that are held come after.
void QuadraticModel::set_class_records(std::size_t vector) {
  const double *p = line_.probabilities(vector), *d = line_.direction(vector);
  const std::uint32_t* label = line_.label_vectors().data();
  const auto set = [&](std::size_t j, double w, double extra) {
    const double target = label[j] == vector ? 1.0 : 0.0;
    records_[j] = {w * (p[j] - target) + w * p[j] * (d[j] - mean_[j]) + extra * d[j],
                   w * (p[j] * (1 - p[j])) + extra};
  };
  if (const std::span<const double> weights = line_.weights(); weights.empty())
    for (std::size_t j = 0; j < rows_; ++j) set(j, 1.0, damping_);
  else
    for (std::size_t j = 0; j < rows_; ++j) set(j, weights[j], weights[j] * damping_);
  for (const std::size_t j : holds_->rows()) set(j, line_.weight(j), line_.weight(j) * damping(j, vector));
}

void QuadraticModel::set_records(std::size_t vector) {
  const double *p = line_.probabilities(vector), *d = line_.direction(vector);
  for (std::size_t j = 0; j < rows_; ++j) {
    const double w = line_.weight(j), curvature = w * line_.curvature(j, vector), extra = w * damping_;
    records_[j] = {w * (p[j] - line_.target(j, vector)) + curvature * d[j] + extra * d[j], curvature + extra};
  }
}

void QuadraticModel::enter(std::size_t vector, std::span<Term> terms, FreeIntercept& intercept) {
  ++entered_;
  double total = 0, sum = 0;
  if (choices_.present())
    set_choice_records();
  else if (line_.coupled())
    set_class_records(vector);
  else
    set_records(vector);
  for (const RowRecord& record : records_) total += record.weight, sum += record.residual;
  if (choices_.present()) total = sum = 0;  // without intercepts nobody asks
  total_weight_ = total;
  free_ = intercept.present && total > 0;
  shift_ = free_ ? -sum / total : 0.0;
  sum_ = sum;
  not_free_ = 0;
  for (Term& term : terms) term.entered = term.change;
}

template <class View>
void QuadraticModel::leave(const View& view, std::size_t vector, std::span<Term> terms,
                           FreeIntercept& intercept) {
  std::fill(step_.begin(), step_.end(), shift_);
  for (const Term& term : terms) {
    const double moved = term.change - term.entered;
    if (moved == 0) continue;
    if (term.feature < columns_.num_features())
      column_add(view.row(term.feature), rows_, moved, step_.data());
  }
  if (free_) intercept.change += shift_ - not_free_;
  const double* p = line_.probabilities(vector);
  double* d = line_.direction(vector);
  for (std::size_t j = 0; j < rows_; ++j) {
    d[j] += step_[j];
    mean_[j] += p[j] * step_[j];
  }
  if (!choices_.present()) return;
  choices_.set(d);
  for (std::size_t j = 0; j < rows_; ++j) mean_[j] = choices_.of_row(j);
}

template <class View>
double QuadraticModel::slope_of(const View& view, Term& term, Visit visit) {
  if (term.feature >= columns_.num_features()) {
    term.square = term.cross = total_weight_;
    return sum_ + shift_ * total_weight_;
  }
  const auto column = view.row(term.feature);
  walked_ += column.size();
  if (choices_.present()) {
    if (visit == Visit::first) term.square = choices_.square(column, records_.data());
    return choices_.slope(column, records_.data());
  }
  const double center = line_.center(term.feature);
  double slope;
  if (visit == Visit::first) {
    const ColumnSums sums = column_sums(column, records_.data());
    slope = sums.slope;
    term.cross = sums.cross;
    // Of a column that hardly differs from its center only rounding is left: more curvature is safe.
    term.square = std::max(sums.square - center * (2 * sums.cross - center * total_weight_),
                           least_centered * center * center * total_weight_);
  } else {
    slope = column_dot(column, rows_, records_.data());
  }
  slope += shift_ * term.cross;
  return center == 0 ? slope : slope - center * (sum_ + shift_ * total_weight_);
}

template <class View>
double QuadraticModel::improve(const View& view, Term& term, Visit visit) {
  const bool intercept = term.feature >= columns_.num_features();
  const double slope = slope_of(view, term, visit) + term.gradient + term.curvature * term.change;
  const double center = intercept ? 0.0 : line_.center(term.feature);
  const double cross = term.cross - center * total_weight_;  // of the centred column
  double h = term.square;
  if (free_) {
    const double centered = h - cross * cross / total_weight_;
    if (centered > least_centered * h) h = centered;
  }
  h += term.curvature;
  const double now = term.start + term.change;
  double next;
  if (h > 1e-290)
    next = math::soft_threshold(now - slope / h, term.l1 / h);
  else
    next = std::abs(slope) <= term.l1 ? 0.0 : now;  // no curvature: the kink is lowest, or nothing is known
  term.moved = 0;
  if (next == now || !std::isfinite(next)) return 0;
  // The sum start + change must give `next` back exactly where it is a kink.
  term.change = next == 0 ? -term.start : term.change + (next - now);
  const double moved = next - now;
  if (!intercept) {
    const auto column = view.row(term.feature);
    column_add_weighted(column, rows_, moved, records_.data());
    if (choices_.present()) choices_.add(column, moved);
    sum_ += moved * term.cross;
  }
  const double constant = intercept ? moved : -center * moved;
  shift_ += constant;
  not_free_ += constant;
  if (free_) shift_ -= moved * cross / total_weight_;
  return term.moved = std::abs(moved) * std::sqrt(h);
}

template <class View>
double QuadraticModel::visit_class(const View& view, std::span<Term> terms, Visit visit) {
  double largest = 0;
  for (Term& term : terms)
    if (is_due(term, visit)) largest = std::max(largest, improve(view, term, visit));
  return largest;
}

template <class View>
double QuadraticModel::sweep(const View& view, std::vector<Term>& terms,
                             std::vector<FreeIntercept>& intercepts, Visit visit) {
  double largest = 0;
  for (std::size_t v = 0; v < vectors_; ++v) {
    const std::span<Term> mine(terms.data() + begins_[v], begins_[v + 1] - begins_[v]);
    if (mine.empty() && !intercepts[v].present) continue;
    if ((*interrupted_)()) break;
    if (visit == Visit::moving &&
        std::none_of(mine.begin(), mine.end(), [&](const Term& term) { return is_due(term, visit); }))
      continue;
    enter(v, mine, intercepts[v]);
    largest =
        std::max({largest, visit_class(view, mine, visit), std::abs(shift_) * std::sqrt(total_weight_)});
    leave(view, v, mine, intercepts[v]);
  }
  return largest;
}

ModelDescent QuadraticModel::minimize(std::vector<Term>& terms, std::vector<FreeIntercept>& intercepts,
                                      const SweepRule& rule, const std::function<bool()>& interrupted) {
  begins_.assign(vectors_ + 1, 0);
  for (const Term& term : terms) ++begins_[term.vector + 1];
  for (std::size_t v = 0; v < vectors_; ++v) begins_[v + 1] += begins_[v];
  std::fill(mean_.begin(), mean_.end(), 0.0);
  damping_ = rule.damping;
  static const objective::RowHolds none;
  holds_ = rule.holds != nullptr ? rule.holds : &none;
  work_ = 0;
  const std::function<bool()> enough = [&] { return work_ >= rule.most_work || interrupted(); };
  interrupted_ = &enough;
  return columns_.visit([&](const auto& view) {
    ModelDescent result;
    // With one vector nothing else changes between sweeps: its class is entered once.
    const bool single = vectors_ == 1;
    double last_work = 0;
    const auto one_sweep = [&](Visit visit) {
      ++result.sweeps;
      walked_ = entered_ = 0;
      const double moved = single ? visit_class(view, terms, visit) : sweep(view, terms, intercepts, visit);
      last_work = static_cast<double>(walked_) + passes_to_enter * static_cast<double>(rows_ * entered_);
      work_ += last_work;
      return moved;
    };
    if (single) enter(0, terms, intercepts[0]);
    result.first = result.last = one_sweep(Visit::first);
    if (single) result.first = std::max(result.first, std::abs(shift_) * std::sqrt(total_weight_));
    const double target = rule.forcing * result.first, all = std::max(1.0, static_cast<double>(walked_));
    least_move_ = least_part * target;
    double patience = sweeps_before_face, effort = 1;
    // Entering and leaving a class goes over all rows, which counts where terms are few.
    const double sweep_cost = all + passes_to_enter * static_cast<double>(rows_ * vectors_);
    double spent = 0;
    while (result.last > 0 && effort < rule.most_sweeps && !enough()) {
      const bool whole = result.last <= target;
      if (!whole && !single && spent > sweeps_before_matrix * sweep_cost) {
        result.by_matrix = descend_matrix(view, terms, intercepts, matrix_precision * rule.forcing,
                                          sweeps_for_matrix * sweep_cost);
        if (result.by_matrix) break;
        spent = -std::numeric_limits<double>::infinity();  // it will not pay later either
      }
      if (!whole && patience < 0) {
        if (single) leave(view, 0, terms, intercepts[0]);
        descend_face(view, terms, intercepts, std::clamp(target / result.last, 1e-3, 0.3), enough);
        if (single) enter(0, terms, intercepts[0]);
        patience = sweeps_before_face;
      }
      result.last = one_sweep(whole ? Visit::all : Visit::moving);
      spent += last_work;
      const double part = std::max(least_effort, static_cast<double>(walked_) / all);
      effort += part;
      if (!whole) patience -= part;
      if (whole && result.last <= target) break;
    }
    if (single) leave(view, 0, terms, intercepts[0]);
    result.work = work_;
    return result;
  });
}

}  // namespace lazylogit::optim
