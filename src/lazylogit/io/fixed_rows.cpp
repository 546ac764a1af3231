#include <algorithm>
#include <utility>

#include "lazylogit/io/dataset_builder.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t max_unknown_labels = 1000;

}  // namespace

FixedRowsBuilder::FixedRowsBuilder(const FixedNames& names, const ReadOptions& options, Log& log)
    : names_(names), policy_(options, log) {}

void FixedRowsBuilder::convert(RowBlock& block, data::Rows& rows) {
  policy_.take(block);
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
    rows.x.values = std::move(block.values64);
  else
    rows.x.values = std::move(block.values32);

  std::vector<ClassId> classes(block.labels.size());
  for (std::uint32_t i = 0; i < classes.size(); ++i)
    classes[i] = names_.classes->find(block.labels.canonical(i));
  rows.labels.clear();
  rows.unknown_labels.clear();
  std::vector<bool> listed(block.labels.size());
  for (const std::uint32_t label : block.row_labels) {
    const ClassId known = label == no_label ? unknown_class : classes[label];
    rows.labels.push_back(known);
    if (label == no_label || known != unknown_class) continue;
    ++summary_.unknown_labels;
    if (listed[label] || rows.unknown_labels.size() == max_unknown_labels) continue;
    listed[label] = true;
    const std::string& text = block.labels.canonical(label);
    if (std::find(rows.unknown_labels.begin(), rows.unknown_labels.end(), text) == rows.unknown_labels.end())
      rows.unknown_labels.push_back(text);
  }
  rows.weights.swap(block.weights);
  rows.offsets.swap(block.offsets);
  rows.ids.swap(block.row_ids);
}

}  // namespace lazylogit::io
