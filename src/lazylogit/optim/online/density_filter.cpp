#include "lazylogit/optim/online/density_filter.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/online/record_learner.hpp"
#include "lazylogit/optim/online/score_belief.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"
#include "lazylogit/optim/online/widening.hpp"

namespace lazylogit::optim {
namespace {

constexpr double wide_variance = 1e4;

class DensityFilter final : public RecordLearner<DensityFilter> {
  friend class RecordLearner<DensityFilter>;

 public:
  explicit DensityFilter(const OnlineSettings& settings)
      : RecordLearner(settings, vector_form(2, settings), width_of(vector_form(2, settings).vectors)),
        precision_(std::get<prior::Gaussian>(settings.prior).precision) {}

  void coefficients(std::size_t feature, double* out) const override {
    for (std::size_t c = 0; c < form_.vectors; ++c) out[c] = belief(feature, c).mean;
  }
  bool variances(std::size_t feature, double* out) const override {
    for (std::size_t c = 0; c < form_.vectors; ++c) out[c] = belief(feature, c).variance;
    return true;
  }
  void begin_at(std::size_t feature, const double* b) override {
    for (std::size_t c = 0; c < form_.vectors; ++c)
      record(feature)[c] = b[c] * prior_precision(feature == features_.size());
  }

  Scalars scalars() const override { return {{"examples", examples_}}; }
  void restore(const Scalars& scalars) override { examples_ = scalar(scalars, "examples"); }

 private:
  struct Belief {
    double mean, variance;
  };
  static constexpr std::size_t width_of(std::size_t vectors) noexcept { return 2 * vectors + 1; }
  double prior_precision(bool is_intercept) const noexcept {
    return is_intercept && !settings_.prior_on_intercept ? 1 / wide_variance : precision_;
  }
  double kept(const double* r) const noexcept {
    const double age = examples_ - r[2 * form_.vectors];
    return settings_.forget == 1 || age == 0 ? 1 : std::pow(settings_.forget, age);
  }
  Belief belief(std::size_t feature, std::size_t c) const noexcept {
    const double* r = record(feature);
    const double keep = kept(r),
                 variance = 1 / (keep * r[form_.vectors + c] + prior_precision(feature == features_.size()));
    return {keep * r[c] * variance, variance};
  }

  // The record as of now; scores of the row grow by its share.
  void look(double* r, double x, bool is_intercept) noexcept {
    const std::size_t vectors = form_.vectors;
    const double keep = kept(r), prior = prior_precision(is_intercept);
    if (keep != 1)
      for (std::size_t k = 0; k < 2 * vectors; ++k) r[k] *= keep;
    r[2 * vectors] = examples_;
    for (std::size_t c = 0; c < vectors; ++c) {
      const double variance = 1 / (r[vectors + c] + prior);
      means_[c] += x * r[c] * variance;
      variances_[c] += x * x * variance;
    }
  }

  void update(double* r, double x, bool is_intercept) const noexcept {
    const std::size_t vectors = form_.vectors;
    const double prior = prior_precision(is_intercept);
    for (std::size_t c = 0; c < vectors; ++c) {
      const double variance = 1 / (r[vectors + c] + prior), mean = r[c] * variance;
      const double moved = mean + variance * x * slopes_[c];
      // v − (v x)² β > 0 because β s < 1 and (v x)² ≤ v s.
      const double shrunk = variance - (variance * x) * (variance * x) * curvatures_[c];
      const double precision = 1 / std::max(shrunk, 1e-12 * variance);
      r[vectors + c] = precision - prior;
      r[c] = moved * precision;
    }
  }

  template <class Row>
  RowOutcome learn_row(const Row& row, const OnlineLabel& target, double weight, double offset) {
    const ClassId label = target.label;
    const std::size_t vectors = form_.vectors;
    means_.assign(vectors, 0.0);
    variances_.assign(vectors, 0.0);
    for (std::size_t k = 0; k < row.size(); ++k) look(features_.at(row.ids[k]), row.value(k), false);
    if (settings_.intercept) look(intercept_.at(0), 1, true);
    means_[vectors == 1 ? 0 : 1] += offset;
    slopes_.assign(vectors, 0.0);
    curvatures_.assign(vectors, 0.0);
    RowOutcome outcome;
    if (vectors == 1)
      outcome = observe_pair(label, weight);
    else
      outcome = observe_several(label, weight);
    if (!std::isfinite(outcome.loss))
      throw InputError({.message = "the belief about a row is beyond the range of finite numbers",
                        .hint = "divide columns of large values by a power of ten",
                        .code = "not-finite"});
    for (std::size_t k = 0; k < row.size(); ++k) update(features_.at(row.ids[k]), row.value(k), false);
    if (settings_.intercept) update(intercept_.at(0), 1, true);
    examples_ += 1;
    return outcome;
  }

  RowOutcome observe_pair(ClassId label, double weight) {
    const double sign = label == 1 ? 1 : -1, margin = sign * means_[0], variance = variances_[0];
    const ScoreMoments after = logistic_moments(margin, variance, weight);
    if (variance > 0) {
      slopes_[0] = sign * (after.mean - margin) / variance;
      curvatures_[0] = (variance - after.variance) / variance / variance;
    }
    return {-after.log_predictive, label == 1 ? margin > 0 : margin >= 0};
  }

  RowOutcome observe_several(ClassId label, double weight) {
    const std::size_t vectors = form_.vectors;
    const std::ptrdiff_t own = vector_of(label, form_);
    const auto best = std::max_element(means_.begin(), means_.end()) - means_.begin();
    math::Vector means = means_, variances = variances_;
    for (double& v : variances) v = std::max(v, 1e-300);
    const double loss = -softmax_moments(own, form_.reference, weight, means, variances);
    for (std::size_t c = 0; c < vectors; ++c) {
      if (!(variances_[c] > 0)) continue;
      slopes_[c] = (means[c] - means_[c]) / variances_[c];
      curvatures_[c] = (variances_[c] - variances[c]) / variances_[c] / variances_[c];
    }
    return {loss, best == own};
  }

  // One vector b becomes two, −b/2 and b/2: means halve, variances stay, which is the careful side.
  RecordStore widened(const RecordStore& from, const VectorForm& form) const {
    const Widening widening(form_, form);
    const std::size_t before = form_.vectors, now = form.vectors;
    return widened_records(from, width_of(now), [&](const double* old, double* r) {
      widening.coefficients(old, r);
      widening.others(old + before, r + now);
      r[2 * now] = old[2 * before];
    });
  }

  double precision_;
  math::Vector means_, variances_, slopes_, curvatures_;
};

}  // namespace

std::unique_ptr<OnlineLearner> make_density_filter(const OnlineSettings& settings) {
  return std::make_unique<DensityFilter>(settings);
}

}  // namespace lazylogit::optim
