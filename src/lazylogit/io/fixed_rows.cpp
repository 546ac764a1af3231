#include <algorithm>
#include <optional>
#include <utility>

#include "lazylogit/io/dataset_builder.hpp"
#include "lazylogit/io/growing_names.hpp"
#include "lazylogit/io/responses.hpp"

namespace lazylogit::io {
namespace {

// The block gets the room that the rows before had.
template <class T>
void exchange(Buffer<T>& values, data::Values& of_rows) {
  if (auto* const before = std::get_if<Buffer<T>>(&of_rows))
    before->swap(values);
  else
    of_rows = std::move(values);
}

}  // namespace

FixedRowsBuilder::FixedRowsBuilder(const FixedNames& names, const ReadOptions& options, Log& log)
    : names_(names), policy_(options, log), watch_(names, log), max_classes_(options.limits.max_classes) {}

void FixedRowsBuilder::convert(RowBlock& block, data::Rows& rows) {
  try {
    policy_.take(block);
  } catch (const InputError&) {
    if (names_.growing == nullptr) throw;
    held_error_ = std::current_exception();
  }
  watch_.take(block);
  summary_.bad_rows = policy_.bad_rows();
  summary_.dropped_rows += block.dropped_rows;
  summary_.unknown_features += block.unknown_features;
  summary_.rows += block.num_rows();

  rows.x.num_features = names_.num_features;
  rows.x.row_offsets.clear();
  rows.x.row_offsets.push_back(0);
  rows.x.row_offsets.append(block.row_ends.span());
  rows.x.ids.swap(block.ids);
  if (block.all_ones)
    rows.x.values = data::OnesValues{};
  else if (block.store_double)
    exchange(block.values64, rows.x.values);
  else
    exchange(block.values32, rows.x.values);

  rows.labels.clear();
  rows.targets.clear();
  rows.label_sets.clear();
  rows.unknown_labels.clear();
  if (names_.growing != nullptr) add_labels(block, rows);
  if (names_.input->response == data::Response::labels && names_.growing == nullptr)
    find_sets(block, rows);
  else if (names_.input->response == data::Response::classes && names_.growing == nullptr)
    find_labels(block, rows);
  rows.targets.swap(block.targets);
  rows.weights.swap(block.weights);
  rows.offsets.swap(block.offsets);
  rows.ids.swap(block.row_ids);
}

void FixedRowsBuilder::throw_held_error() {
  if (held_error_) std::rethrow_exception(std::exchange(held_error_, nullptr));
}

void FixedRowsBuilder::add_labels(const RowBlock& block, data::Rows& rows) {
  GrowingNames& growing = *names_.growing;
  const std::lock_guard lock(growing.mutex);
  if (!names_.input->hash_bits) rows.x.num_features = growing.features.size();
  if (names_.input->response == data::Response::labels) return add_sets(block, rows);
  if (names_.input->response != data::Response::classes) return;
  std::vector<ClassId> classes(block.labels.size(), unknown_class);
  const std::size_t known = growing.labels.size();
  for (const std::uint32_t label : block.row_labels) {
    if (label != no_label && classes[label] == unknown_class)
      classes[label] = static_cast<ClassId>(growing.labels.intern(block.labels.canonical(label)));
    rows.labels.push_back(label == no_label ? unknown_class : classes[label]);
  }
  for (std::size_t i = known; i < growing.labels.size(); ++i)
    rows.unknown_labels.emplace_back(growing.labels.name(static_cast<FeatureId>(i)));
  if (growing.labels.size() > max_classes_)
    throw LimitError({.message = "found more than " + std::to_string(max_classes_) +
                                 " different labels, which is the limit",
                      .hint =
                          "are the labels numbers to be predicted, not classes? Add --loss squared; or see "
                          "--max-classes",
                      .code = "too-many-classes"});
}

// Labels by first appearance, in the order of a row's set.
void FixedRowsBuilder::add_sets(const RowBlock& block, data::Rows& rows) {
  data::Alphabet& labels = names_.growing->labels;
  const std::size_t known = labels.size();
  std::vector<std::optional<std::vector<ClassId>>> sets(block.labels.size());
  for (const std::uint32_t label : block.row_labels) {
    if (label == no_label) {
      rows.label_sets.push_back({});
      continue;
    }
    std::optional<std::vector<ClassId>>& set = sets[label];
    if (!set) {
      set.emplace();
      for (const std::string_view one : labels_of_set(block.labels.canonical(label)))
        set->push_back(static_cast<ClassId>(labels.intern(one)));
      std::sort(set->begin(), set->end());
    }
    rows.label_sets.push_back(*set);
  }
  for (std::size_t i = known; i < labels.size(); ++i)
    rows.unknown_labels.emplace_back(labels.name(static_cast<FeatureId>(i)));
  if (labels.size() > max_labels)
    throw LimitError({.message = "found more than " + std::to_string(max_labels) +
                                 " different labels, which is the limit with --multilabel",
                      .code = "too-many-labels"});
}

void FixedRowsBuilder::find_sets(const RowBlock& block, data::Rows& rows) {
  std::vector<std::vector<ClassId>> sets(block.labels.size());
  std::vector<std::uint64_t> unknown(block.labels.size(), 0);
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    for (const std::string_view label : labels_of_set(block.labels.canonical(i))) {
      const ClassId known = names_.classes->find(label);
      if (known != unknown_class) {
        sets[i].push_back(known);
        continue;
      }
      ++unknown[i];
      const std::string text(label);
      if (rows.unknown_labels.size() < data::max_unknown_labels &&
          std::find(rows.unknown_labels.begin(), rows.unknown_labels.end(), text) ==
              rows.unknown_labels.end())
        rows.unknown_labels.push_back(text);
    }
    std::sort(sets[i].begin(), sets[i].end());
  }
  static const std::vector<ClassId> none;
  for (const std::uint32_t label : block.row_labels) {
    rows.label_sets.push_back(label == no_label ? none : sets[label]);
    if (label != no_label && unknown[label] > 0) ++summary_.unknown_labels;
  }
}

void FixedRowsBuilder::find_labels(const RowBlock& block, data::Rows& rows) {
  std::vector<ClassId> classes(block.labels.size());
  for (std::uint32_t i = 0; i < classes.size(); ++i)
    classes[i] = names_.classes->find(block.labels.canonical(i));
  std::vector<bool> listed(block.labels.size());
  for (const std::uint32_t label : block.row_labels) {
    const ClassId known = label == no_label ? unknown_class : classes[label];
    rows.labels.push_back(known);
    if (label == no_label || known != unknown_class) continue;
    ++summary_.unknown_labels;
    if (listed[label] || rows.unknown_labels.size() == data::max_unknown_labels) continue;
    listed[label] = true;
    const std::string& text = block.labels.canonical(label);
    if (std::find(rows.unknown_labels.begin(), rows.unknown_labels.end(), text) == rows.unknown_labels.end())
      rows.unknown_labels.push_back(text);
  }
}

}  // namespace lazylogit::io
