#include "lazylogit/optim/online/perceptron.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/base/error.hpp"
#include "lazylogit/math/vector.hpp"
#include "lazylogit/optim/online/record_learner.hpp"
#include "lazylogit/optim/online/softmax_row.hpp"
#include "lazylogit/optim/online/widening.hpp"

namespace lazylogit::optim {
namespace {

class Perceptron final : public RecordLearner<Perceptron> {
  friend class RecordLearner<Perceptron>;

 public:
  explicit Perceptron(const OnlineSettings& settings)
      : RecordLearner(settings, form_for(2, settings), width_for(form_for(2, settings).vectors, settings)) {}

  void coefficients(std::size_t feature, double* out) const override {
    const double* r = record(feature);
    for (std::size_t c = 0; c < form_.vectors; ++c)
      out[c] = settings_.average && examples_ > 0 ? r[c] - r[form_.vectors + c] / examples_ : r[c];
  }
  void begin_at(std::size_t feature, const double* b) override {
    std::copy_n(b, form_.vectors, record(feature));
  }

  Scalars scalars() const override { return {{"examples", examples_}}; }
  void restore(const Scalars& scalars) override { examples_ = scalar(scalars, "examples"); }

 private:
  static std::size_t width_for(std::size_t vectors, const OnlineSettings& settings) noexcept {
    return vectors * (settings.average ? 2 : 1);
  }
  static VectorForm form_for(std::size_t classes, const OnlineSettings& settings) noexcept {
    if (classes <= 2 && !settings.symmetric) return {1, true};
    return {std::max<std::size_t>(classes, 2), false};
  }
  VectorForm form_of(std::size_t classes) const noexcept { return form_for(classes, settings_); }

  template <class Row>
  RowOutcome learn_row(const Row& row, const OnlineLabel& target, double weight, double offset) {
    const ClassId label = target.label;
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
      throw InputError({.message = "the scores of a row are beyond the range of finite numbers",
                        .hint = "divide columns of large values by a power of ten",
                        .code = "not-finite"});
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
    const Widening widening(form_, form);
    return widened_records(from, width_for(form.vectors, settings_), [&](const double* old, double* r) {
      widening.coefficients(old, r);
      if (settings_.average) widening.coefficients(old + form_.vectors, r + form.vectors);
    });
  }

  math::Vector scores_, changes_;
};

}  // namespace

std::unique_ptr<OnlineLearner> make_perceptron(const OnlineSettings& settings) {
  return std::make_unique<Perceptron>(settings);
}

}  // namespace lazylogit::optim
