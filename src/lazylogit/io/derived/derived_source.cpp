#include "lazylogit/io/derived/derived_source.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "lazylogit/base/parallel.hpp"
#include "lazylogit/io/derived/derived_rows.hpp"
#include "lazylogit/io/derived/row_norm.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {
namespace {

class NormedSource final : public RowSource {
 public:
  NormedSource(std::unique_ptr<RowSource> rows, const data::InputSpec& input, Precision precision)
      : rows_(std::move(rows)), norm_(input.derived.normalize), kind_(input.kind), precision_(precision) {}
  bool next(data::Rows& rows) override {
    if (!rows_->next(rows)) return false;
    apply_row_norm(rows.x, norm_, stores_double(rows.x, kind_, precision_));
    return true;
  }
  const ReadSummary& summary() const override { return rows_->summary(); }

 private:
  std::unique_ptr<RowSource> rows_;
  data::RowNorm norm_;
  data::InputKind kind_;
  Precision precision_;
};

// Ids of a model: base features may come first, so that theirs are known; others are found by name or slot.
class ModelNumbers final : public FeatureNumbers {
 public:
  ModelNumbers(const FixedNames& names, bool base_comes_first)
      : resolver_(NameResolver::fixed(names)), base_comes_first_(base_comes_first) {}
  std::uint32_t of_base(std::uint32_t base, std::string_view name) override {
    return base_comes_first_ ? base : resolver_.resolve(name, counts_).value_or(no_id);
  }
  std::uint32_t of_derived(std::string_view name, std::span<const std::uint32_t>) override {
    return resolver_.resolve(name, counts_).value_or(no_id);
  }

 private:
  NameResolver resolver_;
  bool base_comes_first_;
  RowBlock counts_;  // of unknown features, which the deriver counts itself
};

class DerivedSource final : public RowSource {
 public:
  DerivedSource(const FixedNames& names, const ReadOptions& options, const OpenBase& open)
      : names_(names), spec_(names.input->derived), input_(*names.input), precision_(options.precision) {
    input_.hash_bits.reset();
    const bool base_comes_first = names.growing == nullptr && spec_.num_base > 0;
    numbers_ = std::make_unique<ModelNumbers>(names, base_comes_first);
    FixedNames base = names;
    base.input = &input_;
    base.features = &base_.features;
    base.num_features = base_comes_first ? spec_.num_base : 0;
    if (base_comes_first) {
      for (FeatureId id = 0; id < spec_.num_base; ++id) base_.features.append(names.features->name(id));
      base_.features.build_index();
    } else {
      if (names.growing != nullptr)
        for (FeatureId label = 0; label < names.growing->labels.size(); ++label)
          base_.labels.intern(names.growing->labels.name(label));
      base.growing = &base_;
    }
    grows_ = base.growing != nullptr;
    deriver_ = std::make_unique<RowDeriver>(input_, spec_, base_.features, *numbers_, options.limits);
    if (names.growing == nullptr) deriver_->bound_memory();
    if (!grows_) {
      source_ = open(base);
      return;
    }
    const ThreadLimit one_thread(1);  // names grow in the order of rows
    source_ = open(base);
  }

  bool next(data::Rows& rows) override {
    if (!source_->next(read_)) return update_summary(), false;
    if (names_.growing != nullptr) {
      const std::lock_guard lock(names_.growing->mutex);
      expand(rows);
      for (const std::string& label : read_.unknown_labels) names_.growing->labels.intern(label);
      if (!names_.input->hash_bits) rows.x.num_features = names_.growing->features.size();
    } else {
      expand(rows);
      if (grows_) find_labels();
    }
    std::swap(rows.x, read_.x);  // everything but the features stays as it was read
    std::swap(rows, read_);
    update_summary();
    return true;
  }
  const ReadSummary& summary() const override { return summary_; }

 private:
  void expand(data::Rows& rows) {
    deriver_->take_new_names();
    const bool sorted = names_.growing == nullptr;
    const bool store_double = stores_double(read_.x, input_.kind, precision_);
    DerivedRows derived(store_double);
    for_each_row(read_.x, [&](std::span<const FeatureId> ids, std::span<const double> values, std::size_t) {
      ++num_rows_;
      derived.add(deriver_->derive(ids, values, num_rows_), sorted, num_rows_);
    });
    rows.x = derived.finish(names_.num_features);
    apply_row_norm(rows.x, spec_.normalize, store_double);
  }

  // Labels by first appearance become classes of the model.
  void find_labels() {
    constexpr std::size_t most_named = 1000;
    for (std::size_t label = classes_.size(); label < base_.labels.size(); ++label)
      classes_.push_back(names_.classes->find(base_.labels.name(static_cast<FeatureId>(label))));
    std::vector<std::string>& named = read_.unknown_labels;
    named.clear();
    const auto find = [&](ClassId label) {
      const ClassId known = classes_[static_cast<std::size_t>(label)];
      if (known == unknown_class) {
        const std::string text(base_.labels.name(static_cast<FeatureId>(label)));
        if (named.size() < most_named && std::find(named.begin(), named.end(), text) == named.end())
          named.push_back(text);
      }
      return known;
    };
    for (ClassId& label : read_.labels) {
      if (label == unknown_class) continue;
      label = find(label);
      unknown_labels_ += label == unknown_class ? 1 : 0;
    }
    data::LabelSets sets;
    std::vector<ClassId> own;
    for (std::size_t j = 0; j < read_.label_sets.size(); ++j) {
      own.clear();
      for (const ClassId label : read_.label_sets[j])
        if (const ClassId known = find(label); known != unknown_class) own.push_back(known);
      unknown_labels_ += own.size() < read_.label_sets[j].size() ? 1 : 0;
      std::sort(own.begin(), own.end());
      sets.push_back(own);
    }
    read_.label_sets = std::move(sets);
  }

  void update_summary() {
    summary_ = source_->summary();
    if (!grows_) return;
    summary_.unknown_features += deriver_->unknown_base();
    if (names_.growing == nullptr) summary_.unknown_labels += unknown_labels_;
  }

  FixedNames names_;
  data::DerivedSpec spec_;
  data::InputSpec input_;  // of the base features
  Precision precision_;
  bool grows_ = false;
  GrowingNames base_;
  std::unique_ptr<FeatureNumbers> numbers_;
  std::unique_ptr<RowDeriver> deriver_;
  std::unique_ptr<RowSource> source_;
  data::Rows read_;
  std::vector<ClassId> classes_;  // by label of base_
  std::uint64_t num_rows_ = 0, unknown_labels_ = 0;
  ReadSummary summary_;
};

}  // namespace

std::unique_ptr<RowSource> open_derived(const FixedNames& names, const ReadOptions& options,
                                        const OpenBase& open) {
  const data::DerivedSpec& spec = names.input->derived;
  if (spec.adds_features()) return std::make_unique<DerivedSource>(names, options, open);
  std::unique_ptr<RowSource> rows = open(names);
  if (spec.normalize == data::RowNorm::none) return rows;
  return std::make_unique<NormedSource>(std::move(rows), *names.input, options.precision);
}

}  // namespace lazylogit::io
