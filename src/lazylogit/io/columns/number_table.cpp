#include "lazylogit/io/columns/number_table.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "lazylogit/base/parallel.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t entries_per_block = std::size_t{1} << 18;

// Whether emitting a column's numbers changes nothing but the id.
bool is_taken_as_it_is(const ColumnPlan& column, const ColumnFacts& facts, const ColumnFeatures& features) {
  if (column.role != ColumnRole::feature) return true;
  if (facts.missing > 0) return false;
  const bool has_entries = facts.has_number && (facts.varied || facts.first != 0);
  return features.feature != no_feature || !has_entries;
}

// Moves items from `first` on to a new buffer.
template <class T>
Buffer<T> cut_tail(Buffer<T>& all, std::size_t first) {
  Buffer<T> tail;
  if (first >= all.size()) return tail;
  tail.append(all.span().subspan(first));
  all.resize(first);
  all.shrink_to_fit();
  return tail;
}

RowBlock cut_rows(RowBlock& all, std::size_t first_row) {
  const std::uint64_t first_entry = first_row == 0 ? 0 : all.row_ends[first_row - 1];
  RowBlock tail;
  tail.row_ends = cut_tail(all.row_ends, first_row);
  for (std::uint64_t& end : tail.row_ends) end -= first_entry;
  tail.ids = cut_tail(all.ids, first_entry);
  tail.values64 = cut_tail(all.values64, first_entry);
  tail.row_labels = cut_tail(all.row_labels, first_row);
  tail.weights = cut_tail(all.weights, first_row);
  tail.offsets = cut_tail(all.offsets, first_row);
  if (!all.row_ids.empty()) {
    const auto from = all.row_ids.begin() + static_cast<std::ptrdiff_t>(first_row);
    tail.row_ids.assign(std::make_move_iterator(from), std::make_move_iterator(all.row_ids.end()));
    all.row_ids.erase(from, all.row_ids.end());
  }
  return tail;
}

}  // namespace

bool holds_numbers_alone(const TablePlan& plan) { return plan.num_categorical == 0 && plan.num_sparse == 0; }

void reserve_gathered_rows(const RowBlock& first, double num_blocks, RowBlock& all) {
  constexpr double most_blocks = 1 << 16, smallest_worth = 8;
  if (!(num_blocks >= smallest_worth)) return;
  const double blocks = std::min(num_blocks * 1.05, most_blocks);
  const auto entries = static_cast<std::size_t>(static_cast<double>(first.ids.size()) * blocks);
  try {
    all.ids.reserve(entries);
    all.values64.reserve(entries);
  } catch (const std::bad_alloc&) {  // a guess too large for this machine: grow step by step
  }
}

void gather_rows(RowBlock& block, RowBlock& all) {
  const std::uint64_t entries_before = all.ids.size();
  const std::size_t rows_before = all.num_rows();
  all.row_ends.append(block.row_ends.span());
  for (std::size_t r = rows_before; r < all.num_rows(); ++r) all.row_ends[r] += entries_before;
  all.ids.append(block.ids.span());
  all.values64.append(block.values64.span());
  all.row_labels.append(block.row_labels.span());
  all.weights.append(block.weights.span());
  all.offsets.append(block.offsets.span());
  for (std::string& id : block.row_ids) all.row_ids.push_back(std::move(id));
}

bool take_gathered_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                        Precision precision, data::Rows& rows) {
  if (!holds_numbers_alone(plan) || table.blocks.size() != 1 || precision != Precision::float64 ||
      layout.hashed_features)
    return false;
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    if (!is_taken_as_it_is(plan.columns[c], table.columns[c].facts, layout.columns[c])) return false;
  RowBlock& all = table.blocks.front().table.rows;
  Buffer<std::uint32_t>& ids = all.ids;
  parallel_blocks((ids.size() + entries_per_block - 1) / entries_per_block, [&](std::size_t i) {
    const std::size_t end = std::min(ids.size(), (i + 1) * entries_per_block);
    for (std::size_t k = i * entries_per_block; k < end; ++k) ids[k] = layout.columns[ids[k]].feature;
  });
  rows.x.row_offsets.append(all.row_ends.span());
  rows.x.ids = std::move(ids);
  rows.x.ids.shrink_to_fit();
  rows.x.num_features = layout.num_features;
  if (!std::all_of(all.values64.begin(), all.values64.end(), [](double value) { return value == 1; })) {
    all.values64.shrink_to_fit();
    rows.x.values = std::move(all.values64);
  }
  rows.labels.reserve(all.row_labels.size());
  for (const std::uint32_t label : all.row_labels)
    rows.labels.push_back(label == no_label ? unknown_class : static_cast<ClassId>(label));
  rows.weights = std::move(all.weights);
  rows.offsets = std::move(all.offsets);
  rows.ids = std::move(all.row_ids);
  table.blocks.clear();
  return true;
}

void spread_gathered_rows(LearnedTable& table) {
  if (table.blocks.size() != 1) return;
  RowBlock& all = table.blocks.front().table.rows;
  std::vector<MergedBlock> blocks;
  while (all.num_rows() > 0) {
    const std::uint64_t entries = all.ids.size();
    const std::uint64_t from = entries > entries_per_block ? entries - entries_per_block : 0;
    // Rows without entries count like one with a single entry, so that a block has a bounded number of rows.
    const std::size_t by_rows = all.num_rows() > entries_per_block ? all.num_rows() - entries_per_block : 0;
    const auto at = std::upper_bound(all.row_ends.begin(), all.row_ends.end() - 1, from);
    const auto by_entries = from == 0 ? 0 : static_cast<std::size_t>(at - all.row_ends.begin());
    blocks.emplace_back().table.rows = cut_rows(all, std::max(by_rows, by_entries));
  }
  std::reverse(blocks.begin(), blocks.end());
  table.blocks = std::move(blocks);
}

}  // namespace lazylogit::io
