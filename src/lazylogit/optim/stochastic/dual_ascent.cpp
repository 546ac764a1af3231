#include "lazylogit/optim/stochastic/dual_ascent.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "lazylogit/data/row_source.hpp"
#include "lazylogit/math/softmax.hpp"
#include "lazylogit/math/wide_scores.hpp"
#include "lazylogit/optim/stochastic/row_order.hpp"

namespace lazylogit::optim {
namespace {

// q as a function of the scores and of what it replaces; see the header.
class RowSolver {
 public:
  explicit RowSolver(std::size_t vectors) : r_(vectors), p_(vectors), t_(vectors), next_(vectors) {}

  // To be called first: p = softmax(s). Returns ln Σ e^s.
  double start(std::span<const double> s) {
    std::copy(s.begin(), s.end(), p_.begin());
    std::copy(s.begin(), s.end(), t_.begin());
    return log_sum_ = softmax(p_);
  }
  std::span<const double> probabilities() const noexcept { return p_; }
  // The q of the row, for which Σ q ln q is left in `entropy`.
  std::span<const double> solve(std::span<const double> s, const float* q, double a, double& negentropy) {
    constexpr int most_steps = 8;
    constexpr double enough = 0.1;
    const std::size_t k = s.size();
    double first = 0;
    for (int step = 0;; ++step) {
      double largest = 0;
      for (std::size_t c = 0; c < k; ++c) {
        r_[c] = t_[c] - s[c] + a * (p_[c] - static_cast<double>(q[c]));
        largest = std::max(largest, std::abs(r_[c]));
      }
      if (step == 0) first = largest;
      if (largest <= enough * first * (step > 0) || step == most_steps) break;
      newton_step(s, q, a);
    }
    negentropy = -log_sum_;
    for (std::size_t c = 0; c < k; ++c) negentropy += p_[c] * t_[c];
    return p_;
  }

 private:
  static double softmax(std::span<double> s) {
    return math::apply_softmax(s, math::ReferenceClass::absent).log_sum_exp();
  }
  // ½ |t − s − a q|² + a ln Σ e^t
  static double value(std::span<const double> t, std::span<const double> s, const float* q, double a,
                      double log_sum) {
    double sum = 0;
    for (std::size_t c = 0; c < t.size(); ++c) {
      const double off = t[c] - s[c] - a * static_cast<double>(q[c]);
      sum += off * off;
    }
    return 0.5 * sum + a * log_sum;
  }
  // t ← t − (I + a (diag p − p pᵀ))⁻¹ r, or a part of that step.
  void newton_step(std::span<const double> s, const float* q, double a) {
    const std::size_t k = s.size();
    double along = 0, own = 0;
    for (std::size_t c = 0; c < k; ++c) {
      const double d = 1 + a * p_[c];
      along += p_[c] * r_[c] / d;
      own += p_[c] * p_[c] / d;
    }
    const double shared = a * along / (1 - a * own);
    double slope = 0;
    for (std::size_t c = 0; c < k; ++c) {
      const double g = r_[c];
      r_[c] = (g + shared * p_[c]) / (1 + a * p_[c]);
      slope += g * r_[c];
    }
    const double before = value(t_, s, q, a, log_sum_);
    double log_sum = 0;
    for (double part = 1; part > 1e-3; part *= 0.5) {
      for (std::size_t c = 0; c < k; ++c) next_[c] = t_[c] - part * r_[c];
      std::copy(next_.begin(), next_.end(), p_.begin());
      log_sum = softmax(p_);
      if (value(next_, s, q, a, log_sum) <= before - 1e-4 * part * slope) break;
    }
    std::swap(t_, next_);
    log_sum_ = log_sum;
  }

  math::Vector r_, p_, t_, next_;
  double log_sum_ = 0;
};

class Ascent {
 public:
  explicit Ascent(const FitRequest& request)
      : request_(request),
        problem_(request.problem),
        features_(problem_.shape.num_features),
        vectors_(problem_.shape.num_vectors()),
        stride_(problem_.shape.stride()),
        order_(problem_),
        table_(features_ * stride_, 0.0F),
        q_(problem_.x->num_rows() * vectors_, 0.0F),
        negentropy_(problem_.x->num_rows(), 0.0),
        scores_(vectors_),
        wide_(stride_),
        step_(stride_, 0.0F),
        intercept_(vectors_, 0.0),
        center_(vectors_, 0.0),
        solver_(vectors_) {
    variance_ = 1 / std::get<prior::Gaussian>(problem_.prior->shared_prior()).precision;
    double weight = 0;
    for (std::size_t j = 0; j < problem_.x->num_rows(); ++j) {
      q_[j * vectors_ + static_cast<std::size_t>(problem_.labels[j])] = 1;
      weight += problem_.weight(j);
    }
    if (!problem_.shape.has_intercept) return;
    free_ = problem_.prior->num_penalized() <= problem_.shape.intercept_index(0);
    // A class of mean size pulls its intercept back by a tenth.
    constexpr double pull = 8;
    intercept_variance_ = free_ ? pull * static_cast<double>(vectors_) / std::max(weight, 1.0) : variance_;
    if (!free_) return;
    for (std::size_t c = 0; c < vectors_; ++c)
      intercept_[c] = center_[c] = request.start[problem_.shape.intercept_index(c)];
  }

  DualAscent operator()(std::uint64_t most_epochs) {
    // Another epoch costs less than the step of an exact optimizer that it may save.
    constexpr double slow = 0.7, part_of_gap = 0.2;
    DualAscent result;
    double before = std::numeric_limits<double>::infinity();
    for (std::uint64_t epoch = 0; epoch < most_epochs; ++epoch) {
      if (epoch > 0 && free_) move_center();
      if (!ascend(epoch)) return {};
      ++result.epochs;
      const double ratio = gap_ / before, error = loss_ + penalty();
      before = gap_;
      if (epoch > 0 && (ratio > slow || gap_ * ratio <= part_of_gap * request_.gap * error)) break;
    }
    result.coefficients.assign(request_.start.begin(), request_.start.end());
    std::copy(table_.begin(), table_.end(), result.coefficients.begin());
    for (std::size_t c = 0; c < vectors_ && problem_.shape.has_intercept; ++c)
      result.coefficients[problem_.shape.intercept_index(c)] = intercept_[c];
    return result;
  }

 private:
  // One epoch; false: the caller wants an end.
  bool ascend(std::uint64_t epoch) {
    constexpr std::size_t stretch = 256;
    order_.shuffle(epoch);
    gap_ = loss_ = 0;
    const std::span<const std::uint64_t> rows = order_.rows();
    return problem_.x->visit_rows([&](const auto& view) {
      for (std::size_t k = 0; k < rows.size(); ++k) {
        if (k % stretch == 0 && interrupted()) return false;
        visit(view.row(rows[k]), rows[k]);
      }
      return true;
    });
  }

  template <class Value>
  void visit(const data::RowView<Value>& row, std::size_t j) {
    const double w = problem_.weight(j);
    double length = intercept_variance_;
    for (std::size_t k = 0; k < row.size(); ++k) length += variance_ * row.value(k) * row.value(k);
    const math::WideTable table{table_.data(), stride_, stride_, nullptr};
    if constexpr (std::is_same_v<Value, data::One>)
      math::wide_scores(row.ids.data(), nullptr, row.size(), table, wide_.data());
    else
      math::wide_scores(row.ids.data(), row.values, row.size(), table, wide_.data());
    float* q = q_.data() + j * vectors_;
    double dot = 0;
    for (std::size_t c = 0; c < vectors_; ++c) {
      scores_[c] = static_cast<double>(wide_[c]) + intercept_[c];
      dot += static_cast<double>(q[c]) * scores_[c];
    }
    const double log_sum = solver_.start(scores_);
    gap_ += w * std::max(0.0, negentropy_[j] - dot + log_sum);
    loss_ += w * (log_sum - scores_[static_cast<std::size_t>(problem_.labels[j])]);
    const std::span<const double> next = solver_.solve(scores_, q, w * length, negentropy_[j]);
    for (std::size_t c = 0; c < vectors_; ++c) {
      const auto rounded = static_cast<float>(next[c]);
      const double moved = w * (static_cast<double>(q[c]) - static_cast<double>(rounded));
      q[c] = rounded;
      step_[c] = static_cast<float>(variance_ * moved);
      intercept_[c] += intercept_variance_ * moved;
    }
    if constexpr (std::is_same_v<Value, data::One>)
      math::wide_add(row.ids.data(), nullptr, row.size(), step_.data(), stride_, table_.data());
    else
      math::wide_add(row.ids.data(), row.values, row.size(), step_.data(), stride_, table_.data());
  }

  void move_center() {
    for (std::size_t c = 0; c < vectors_; ++c) {
      const double now = intercept_[c];
      intercept_[c] += now - center_[c];
      center_[c] = now;
    }
  }
  double penalty() const {
    double sum = 0;
    for (const float b : table_) sum += static_cast<double>(b) * static_cast<double>(b);
    return 0.5 * sum / variance_;
  }
  bool interrupted() const {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    return request_.cancel.cancelled() || (request_.max_seconds && seconds >= *request_.max_seconds);
  }

  const FitRequest& request_;
  const objective::Problem& problem_;
  std::size_t features_, vectors_, stride_;
  RowOrder order_;
  math::AlignedVector<float> table_;  // of the features: the layout of model/shape.hpp
  math::AlignedVector<float> q_;
  std::vector<double> negentropy_;  // Σ q ln q of each row
  math::Vector scores_;
  math::AlignedVector<float> wide_, step_;
  std::vector<double> intercept_, center_;
  RowSolver solver_;
  double variance_ = 0, intercept_variance_ = 0;
  bool free_ = false;          // the intercept has no prior
  double gap_ = 0, loss_ = 0;  // of the rows of the epoch, each when it was visited
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

bool dual_ascent_pays(const objective::Problem& problem) {
  constexpr double longest = 4;
  constexpr std::size_t most_numbers = std::size_t{1} << 28;  // 1 GiB of distributions
  const model::Shape& shape = problem.shape;
  if (shape.response != data::Response::classes || shape.reference || shape.num_vectors() < 3 ||
      !problem.choice_ends.empty() || !problem.centers.empty() || !problem.offsets.empty() ||
      problem.x->num_rows() == 0 || problem.x->num_rows() > most_numbers / shape.num_vectors())
    return false;
  const auto* gaussian = std::get_if<prior::Gaussian>(&problem.prior->shared_prior());
  if (gaussian == nullptr || !problem.prior->shared() || !(gaussian->precision > 0)) return false;
  double squares = 0;
  problem.x->visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) squares += problem.weight(j) * row.value(k) * row.value(k);
    }
  });
  return squares <= longest * gaussian->precision * static_cast<double>(problem.x->num_rows());
}

DualAscent ascend_dual(const FitRequest& request, std::uint64_t most_epochs) {
  return Ascent(request)(most_epochs);
}

}  // namespace lazylogit::optim
