#include "lazylogit/optim/online/perceptron.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/online/record_store.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"

namespace lazylogit::optim {
namespace {

class Perceptron final : public OnlineLearner {
 public:
  explicit Perceptron(const OnlineSettings& settings)
      : settings_(settings), form_(form_of(2)), features_(width_of(1)), intercept_(width_of(1)) {
    if (settings.symmetric) {
      features_ = RecordStore(width_of(form_.vectors));
      intercept_ = RecordStore(width_of(form_.vectors));
    }
    intercept_.grow(1);
  }

  void grow(std::size_t num_features, std::size_t num_classes) override {
    if (num_classes > num_classes_) {
      num_classes_ = num_classes;
      const VectorForm form = form_of(num_classes);
      if (form.vectors != form_.vectors) {
        features_ = widened(features_, form);
        intercept_ = widened(intercept_, form);
        form_ = form;
      }
    }
    features_.grow(num_features);
  }

  void learn_range(const data::Rows& rows, Range range, std::span<const double> weights, double offset_sign,
                   std::vector<RowOutcome>& outcomes) override {
    rows.x.visit_rows([&](const auto& view) {
      for (std::size_t j = range.first; j < range.last; ++j) {
        const double weight = weights.empty() ? 1.0 : weights[j];
        if (!(weight > 0)) continue;
        const double offset = rows.offsets.empty() ? 0.0 : offset_sign * rows.offsets[j];
        outcomes.push_back(learn_row(view.row(j), rows.labels[j], weight, offset));
      }
    });
  }

  std::size_t num_features() const override { return features_.size(); }
  std::size_t num_classes() const override { return num_classes_; }
  std::size_t num_vectors() const override { return form_.vectors; }
  bool has_reference() const override { return form_.reference; }
  void coefficients(std::size_t feature, double* out) const override {
    const double* r = record(feature);
    for (std::size_t c = 0; c < form_.vectors; ++c)
      out[c] = settings_.average && examples_ > 0 ? r[c] - r[form_.vectors + c] / examples_ : r[c];
  }
  void begin_at(std::size_t feature, const double* b) override {
    std::copy_n(b, form_.vectors, record(feature));
  }

  std::size_t record_width() const override { return width_of(form_.vectors); }
  const double* record(std::size_t feature) const override {
    return feature == features_.size() ? intercept_.at(0) : features_.at(feature);
  }
  double* record(std::size_t feature) override {
    return feature == features_.size() ? intercept_.at(0) : features_.at(feature);
  }
  Scalars scalars() const override { return {{"examples", examples_}}; }
  void restore(const Scalars& scalars) override { examples_ = scalar(scalars, "examples"); }

 private:
  std::size_t width_of(std::size_t vectors) const noexcept { return vectors * (settings_.average ? 2 : 1); }
  VectorForm form_of(std::size_t classes) const noexcept {
    if (classes <= 2 && !settings_.symmetric) return {1, true};
    return {std::max<std::size_t>(classes, 2), false};
  }

  template <class Row>
  RowOutcome learn_row(const Row& row, ClassId label, double weight, double offset) {
    const std::size_t vectors = form_.vectors;
    scores_.assign(vectors, 0.0);
    for (std::size_t k = 0; k < row.size(); ++k) add_scores(features_.at(row.ids[k]), row.value(k));
    if (settings_.intercept) add_scores(intercept_.at(0), 1);
    scores_[vectors == 1 ? 0 : 1] += offset;
    changes_.assign(vectors, 0.0);
    if (vectors == 1) {
      const double y = label == 1 ? 1 : -1;
      if (!(y * scores_[0] > 0)) changes_[0] = weight * y;
    } else {
      const auto own = static_cast<std::size_t>(label);
      std::size_t best = own == 0 ? 1 : 0;  // the strongest rival
      for (std::size_t c = 0; c < vectors; ++c)
        if (c != own && scores_[c] > scores_[best]) best = c;
      if (!(scores_[own] > scores_[best])) {
        changes_[own] = weight;
        changes_[best] = -weight;
      }
    }
    const bool mistake = std::any_of(changes_.begin(), changes_.end(), [](double x) { return x != 0; });
    const RowOutcome outcome = softmax_row(label, form_, scores_.data()).outcome;
    if (!std::isfinite(outcome.loss))
      throw InputError(
          {.message = "the scores of a row are beyond the range of finite numbers", .code = "not-finite"});
    if (mistake) {
      for (std::size_t k = 0; k < row.size(); ++k) change(features_.at(row.ids[k]), row.value(k));
      if (settings_.intercept) change(intercept_.at(0), 1);
    }
    examples_ += 1;
    return outcome;
  }

  void add_scores(const double* r, double x) noexcept {
    for (std::size_t c = 0; c < form_.vectors; ++c) scores_[c] += x * r[c];
  }
  void change(double* r, double x) const noexcept {
    for (std::size_t c = 0; c < form_.vectors; ++c) {
      r[c] += changes_[c] * x;
      if (settings_.average) r[form_.vectors + c] += examples_ * (changes_[c] * x);
    }
  }

  RecordStore widened(const RecordStore& from, const VectorForm& form) const {
    RecordStore to(width_of(form.vectors));
    to.grow(from.size());
    const bool split = form_.reference && !form.reference;
    for (std::size_t f = 0; f < from.size(); ++f)
      for (std::size_t part = 0; part < (settings_.average ? 2u : 1u); ++part) {
        const double* old = from.at(f) + part * form_.vectors;
        double* r = to.at(f) + part * form.vectors;
        if (split)
          r[0] = 0 - old[0] / 2, r[1] = old[0] / 2;
        else
          std::copy_n(old, form_.vectors, r);
      }
    return to;
  }

  OnlineSettings settings_;
  VectorForm form_;
  RecordStore features_, intercept_;
  std::size_t num_classes_ = 0;
  double examples_ = 0;
  math::Vector scores_, changes_;
};

}  // namespace

std::unique_ptr<OnlineLearner> make_perceptron(const OnlineSettings& settings) {
  return std::make_unique<Perceptron>(settings);
}

}  // namespace lazylogit::optim
