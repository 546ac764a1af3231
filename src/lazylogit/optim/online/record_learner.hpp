// What the online learners share: records that grow with features and classes, and the walk over rows.
//
// A Learner adds widened(records, form), the records under more vectors, and learn_row(row, label, weight, offset), which
// is called without a virtual function; it may replace form_of and before_widening. One that learns choices has
// learn_choice(view, choice) and says so.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "lazylogit/optim/online/online_learner.hpp"
#include "lazylogit/optim/online/record_store.hpp"
#include "lazylogit/optim/online/vector_form.hpp"

namespace lazylogit::optim {

template <class Learner>
class RecordLearner : public OnlineLearner {
 public:
  static constexpr bool learns_choices = false;

  void grow(std::size_t num_features, std::size_t num_classes) final {
    if (num_classes > num_classes_) {
      num_classes_ = num_classes;
      const VectorForm form = learner().form_of(num_classes);
      if (form.vectors != form_.vectors || form.reference != form_.reference) {
        learner().before_widening();
        features_ = learner().widened(features_, form);
        intercept_ = learner().widened(intercept_, form);
        form_ = form;
      }
    }
    features_.grow(num_features);
  }

  void learn_range(const data::Rows& rows, Range range, std::span<const double> weights, double offset_sign,
                   std::vector<RowOutcome>& outcomes) final {
    if (!rows.choice_ends.empty()) return learn_choices(rows, range, weights, offset_sign, outcomes);
    rows.x.visit_rows([&](const auto& view) {
      if (range.first < range.last) find_next(view.row(range.first).ids);
      for (std::size_t j = range.first; j < range.last; ++j) {
        const double weight = weights.empty() ? 1.0 : weights[j];
        std::swap(records_, next_records_);
        if (j + 2 < range.last) features_.expect(view.row(j + 2).ids);
        if (j + 1 < range.last) find_next(view.row(j + 1).ids);
        if (!(weight > 0)) continue;
        const double offset = rows.offsets.empty() ? 0.0 : offset_sign * rows.offsets[j];
        outcomes.push_back(learner().learn_row(view.row(j), label_of(rows, j), weight, offset));
      }
    });
  }

  std::size_t num_features() const final { return features_.size(); }
  std::size_t find_used(std::size_t from, std::span<std::uint64_t> found) const final {
    return features_.find_used(from, found);
  }
  std::size_t num_classes() const final { return num_classes_; }
  std::size_t num_vectors() const final { return form_.vectors; }
  bool has_reference() const final { return form_.reference; }
  std::size_t record_width() const final { return features_.width(); }
  const double* record(std::size_t feature) const final {
    return feature == features_.size() ? intercept_.at(0) : features_.at(feature);
  }
  double* record(std::size_t feature) final {
    return feature == features_.size() ? intercept_.at(0) : features_.at(feature);
  }

 protected:
  RecordLearner(const OnlineSettings& settings, VectorForm form, std::size_t width)
      : settings_(settings), form_(form), features_(width, settings.hashed), intercept_(width) {
    intercept_.grow(1);
  }
  VectorForm form_of(std::size_t num_classes) const noexcept { return vector_form(num_classes, settings_); }
  void before_widening() noexcept {}

  OnlineSettings settings_;
  VectorForm form_;
  RecordStore features_, intercept_;
  double examples_ = 0;
  std::vector<double*> records_;  // of the features of the row that is learned, with room for more

 private:
  // The records of a row that comes next: asked of memory while the row before it is learned.
  void find_next(std::span<const FeatureId> ids) {
    if (next_records_.size() < ids.size()) next_records_.resize(ids.size());
    features_.find(ids, next_records_.data());
  }

  OnlineLabel label_of(const data::Rows& rows, std::size_t j) const noexcept {
    if (settings_.response == data::Response::number) return {.number = rows.targets[j]};
    if (settings_.response == data::Response::labels) return {.set = rows.label_sets[j]};
    return {.label = rows.labels[j]};
  }

  void learn_choices(const data::Rows& rows, Range range, std::span<const double> weights, double offset_sign,
                     std::vector<RowOutcome>& outcomes) {
    if constexpr (Learner::learns_choices) {
      const ClassId own = offset_sign > 0 ? 1 : 0;
      rows.x.visit_rows([&](const auto& view) {
        auto end = std::upper_bound(rows.choice_ends.begin(), rows.choice_ends.end(), range.first);
        for (std::size_t first = range.first; first < range.last; first = *end++) {
          OnlineChoice choice{.first = first, .last = *end, .taken = first, .offsets = rows.offsets.span()};
          choice.weight = weights.empty() ? 1.0 : weights[first];
          for (std::size_t j = first; j < *end; ++j)
            if (rows.labels[j] == own) choice.taken = j;
          if (choice.weight > 0) outcomes.push_back(learner().learn_choice(view, choice));
        }
      });
    }
  }

  Learner& learner() noexcept { return static_cast<Learner&>(*this); }

  std::size_t num_classes_ = 0;
  std::vector<double*> next_records_;
};

}  // namespace lazylogit::optim
