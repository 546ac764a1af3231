#include "lazylogit/optim/online/kalman_filter.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "lazylogit/math/vector.hpp"

namespace lazylogit::optim {
namespace {

// A variance for what nothing is known of, where variances are kept.
constexpr double flat_variance = 1e8;

class KalmanFilter final : public OnlineLearner {
 public:
  explicit KalmanFilter(const OnlineSettings& settings) : settings_(settings) {
    precision_ = std::get<prior::Gaussian>(settings.prior).precision;
    if (!settings.intercept)
      intercept_precision_ = 1;  // held at 0: it has no value in any row
    else if (settings.prior_on_intercept)
      intercept_precision_ = precision_;
    resize(0);
  }

  void grow(std::size_t num_features, std::size_t) override {
    if (num_features > num_features_) resize(num_features);
  }

  void learn_range(const data::Rows& rows, Range range, std::span<const double> weights, double,
                   std::vector<RowOutcome>& outcomes) override {
    rows.x.visit_rows([&](const auto& view) {
      for (std::size_t j = range.first; j < range.last; ++j) {
        const double weight = weights.empty() ? 1.0 : weights[j];
        if (!(weight > 0)) continue;
        const double offset = rows.offsets.empty() ? 0.0 : rows.offsets[j];
        outcomes.push_back(learn_row(view.row(j), rows.targets[j] - offset, weight));
      }
    });
  }

  std::size_t num_features() const override { return num_features_; }
  std::size_t num_classes() const override { return 1; }
  std::size_t num_vectors() const override { return 1; }
  bool has_reference() const override { return false; }

  void coefficients(std::size_t feature, double* out) const override {
    if (diagonal_) {
      *out = row(place(feature))[0];
      return;
    }
    solve();
    *out = solution_[place(feature)];
  }

  bool variances(std::size_t feature, double* out) const override {
    const std::size_t i = place(feature);
    if (diagonal_) {
      *out = row(i)[1] * noise();
      return true;
    }
    if (feature == num_features_ && !settings_.intercept) {
      *out = 0;
      return true;
    }
    invert();
    *out = variances_[i] * noise();
    return true;
  }

  bool covariance(std::vector<double>& lower) const override {
    if (diagonal_) return false;
    const std::size_t d = dimension();
    math::Vector sums(d * (d + 1) / 2, 0.0), column(d);
    const double noise_variance = noise();
    for (std::size_t k = 0; k < d; ++k) {  // Σ over the columns of R⁻¹
      inverse_column(k, column);
      for (std::size_t i = 0; i <= k; ++i) {
        const double scaled = column[i] * noise_variance;
        double* const to = sums.data() + i * (i + 1) / 2;
        for (std::size_t h = 0; h <= i; ++h) to[h] += scaled * column[h];
      }
    }
    const std::size_t count = settings_.intercept ? d : d - 1;
    lower.clear();
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        const std::size_t low = std::min(place(a), place(b)), high = std::max(place(a), place(b));
        lower.push_back(sums[high * (high + 1) / 2 + low]);
      }
    return true;
  }

  void begin_at(std::size_t feature, const double* b) override {
    const std::size_t i = place(feature);
    if (diagonal_)
      row(i)[0] = *b;
    else
      row(i)[0] = row(i)[1 + i] * *b;
    starts_[i] = *b;
    solved_ = inverted_ = false;
  }

  std::size_t record_width() const override { return diagonal_ ? 2 : num_features_ + 2; }
  const double* record(std::size_t feature) const override { return row(place(feature)); }
  double* record(std::size_t feature) override {
    solved_ = inverted_ = false;
    return row(place(feature));
  }
  Scalars scalars() const override {
    return {{"examples", examples_}, {"squares", squares_}, {"noise_variance", noise()}};
  }
  void restore(const Scalars& scalars) override {
    examples_ = scalar(scalars, "examples");
    squares_ = scalar(scalars, "squares");
    solved_ = inverted_ = false;
  }

 private:
  // The intercept is the first coordinate, so that features can be added at the end.
  std::size_t place(std::size_t feature) const noexcept { return feature == num_features_ ? 0 : feature + 1; }
  std::size_t dimension() const noexcept { return num_features_ + 1; }
  double prior_precision(std::size_t i) const noexcept { return i == 0 ? intercept_precision_ : precision_; }
  double* row(std::size_t i) noexcept { return table_.data() + i * stride_; }
  const double* row(std::size_t i) const noexcept { return table_.data() + i * stride_; }

  void resize(std::size_t num_features) {
    const bool diagonal = num_features > most_full;
    math::Vector means, old_variances;
    const std::size_t before = table_.empty() ? 0 : dimension();
    if (diagonal && !diagonal_ && before > 0) {  // keep the marginals
      solve();
      invert();
      means = solution_;
      old_variances = variances_;
      for (std::size_t i = 0; i < before; ++i)
        if (!std::isfinite(old_variances[i])) old_variances[i] = flat_variance;
    }
    const std::size_t stride = diagonal ? 2 : num_features + 2;
    math::Vector table((num_features + 1) * stride, 0.0);
    for (std::size_t i = 0; i <= num_features; ++i) {
      double* to = table.data() + i * stride;
      if (diagonal) {
        const double p = prior_precision(i);
        to[1] = p > 0 ? 1 / p : flat_variance;
        if (i < before && !diagonal_) to[0] = means[i], to[1] = old_variances[i];
        if (i < before && diagonal_) std::copy_n(row(i), 2, to);
      } else {
        to[1 + i] = std::sqrt(prior_precision(i));
        if (i < before) std::copy_n(row(i), 1 + before, to);
      }
    }
    table_ = std::move(table);
    stride_ = stride;
    diagonal_ = diagonal;
    num_features_ = num_features;
    starts_.resize(dimension(), 0.0);
    solved_ = inverted_ = false;
  }

  template <class Row>
  RowOutcome learn_row(const Row& entries, double y, double weight) {
    examples_ += 1;
    return diagonal_ ? learn_diagonal(entries, y, weight) : learn_full(entries, y, weight);
  }

  template <class Row>
  RowOutcome learn_diagonal(const Row& entries, double y, double weight) {
    double f = 0, s = 1 / weight;
    const auto look = [&](std::size_t i, double x) {
      f += row(i)[0] * x;
      s += row(i)[1] * x * x;
    };
    for (std::size_t k = 0; k < entries.size(); ++k) look(entries.ids[k] + 1, entries.value(k));
    if (settings_.intercept) look(0, 1);
    const double gain = (y - f) / s;
    const auto move = [&](std::size_t i, double x) {
      double* const own = row(i);
      const double vx = own[1] * x;
      own[0] += vx * gain;
      own[1] -= vx * vx / s;
    };
    for (std::size_t k = 0; k < entries.size(); ++k) move(entries.ids[k] + 1, entries.value(k));
    if (settings_.intercept) move(0, 1);
    squares_ += (y - f) * gain;
    return {.loss = 0.5 * (y - f) * (y - f)};
  }

  template <class Row>
  RowOutcome learn_full(const Row& entries, double y, double weight) {
    const std::size_t d = dimension();
    fresh_.assign(d + 1, 0.0);
    double* const x = fresh_.data() + 1;  // fresh_[0] is y, as in the rows of the table
    const double root = std::sqrt(weight);
    solve();
    double f = settings_.intercept ? solution_[0] : 0.0;
    std::size_t first = settings_.intercept ? 0 : d;
    if (settings_.intercept) x[0] = root;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const std::size_t i = entries.ids[k] + 1;
      f += solution_[i] * entries.value(k);
      x[i] = root * entries.value(k);
      first = std::min(first, i);
    }
    fresh_[0] = root * y;
    for (std::size_t i = first; i < d; ++i) {
      if (x[i] == 0) continue;
      double* const own = row(i) + 1;
      const double length = std::hypot(own[i], x[i]), c = own[i] / length, s = x[i] / length;
      own[i] = length;
      x[i] = 0;
      for (std::size_t h = i + 1; h < d; ++h) {
        const double a = own[h], b = x[h];
        own[h] = c * a + s * b;
        x[h] = c * b - s * a;
      }
      const double a = own[-1], b = fresh_[0];
      own[-1] = c * a + s * b;
      fresh_[0] = c * b - s * a;
    }
    squares_ += fresh_[0] * fresh_[0];
    solved_ = inverted_ = false;
    return {.loss = 0.5 * (y - f) * (y - f)};
  }

  // R b = z, 0 where nothing is known.
  void solve() const {
    if (solved_) return;
    const std::size_t d = dimension();
    solution_.assign(d, 0.0);
    for (std::size_t i = d; i-- > 0;) {
      const double* const own = row(i) + 1;
      double sum = own[-1];
      for (std::size_t h = i + 1; h < d; ++h) sum -= own[h] * solution_[h];
      solution_[i] = own[i] > 0 ? sum / own[i] : 0.0;
    }
    solved_ = true;
  }

  // The diagonal of (RᵀR)⁻¹: squared lengths of the rows of R⁻¹.
  void invert() const {
    if (inverted_) return;
    const std::size_t d = dimension();
    variances_.assign(d, 0.0);
    math::Vector column(d);
    for (std::size_t k = 0; k < d; ++k) {
      inverse_column(k, column);
      for (std::size_t i = 0; i <= k; ++i) variances_[i] += column[i] * column[i];
    }
    inverted_ = true;
  }

  // Column k of R⁻¹, the entries up to k.
  void inverse_column(std::size_t k, math::Vector& column) const {
    if (!(row(k)[1 + k] > 0)) {
      std::fill_n(column.begin(), k, 0.0);
      column[k] = std::sqrt(flat_variance);
      return;
    }
    column[k] = 1 / row(k)[1 + k];
    for (std::size_t i = k; i-- > 0;) {
      const double* const own = row(i) + 1;
      double sum = 0;
      for (std::size_t h = i + 1; h <= k; ++h) sum -= own[h] * column[h];
      column[i] = own[i] > 0 ? sum / own[i] : 0.0;
    }
  }

  // Σ w (y − f)²/(n − effective parameters); 1 where too few rows tell.
  double noise() const {
    double penalty = 0, effective = 0;
    if (diagonal_) {
      for (std::size_t i = settings_.intercept ? 0 : 1; i < dimension(); ++i) {
        const double p = prior_precision(i), t = row(i)[0] - starts_[i];
        penalty += p * t * t;
        effective += 1 - p * row(i)[1];
      }
    } else {
      solve();
      invert();
      for (std::size_t i = settings_.intercept ? 0 : 1; i < dimension(); ++i) {
        const double p = prior_precision(i), t = solution_[i] - starts_[i];
        penalty += p * t * t;
        effective += 1 - p * variances_[i];
      }
    }
    const double freedom = examples_ - effective, left = squares_ - penalty;
    return freedom > 0.5 && left > 0 ? left / freedom : 1.0;
  }

  OnlineSettings settings_;
  double precision_ = 1, intercept_precision_ = 0;
  bool diagonal_ = false;
  std::size_t num_features_ = 0, stride_ = 2;
  math::Vector table_;
  math::Vector starts_;  // where the belief began: the prior's means
  math::Vector fresh_;
  double examples_ = 0, squares_ = 0;
  mutable math::Vector solution_, variances_;
  mutable bool solved_ = false, inverted_ = false;
};

}  // namespace

std::unique_ptr<OnlineLearner> make_kalman_filter(const OnlineSettings& settings) {
  return std::make_unique<KalmanFilter>(settings);
}

}  // namespace lazylogit::optim
