#include "lazylogit/io/columns/table_learner.hpp"

#include <utility>

#include "lazylogit/io/columns/feature_layout.hpp"
#include "lazylogit/io/columns/table_labels.hpp"

namespace lazylogit::io {
namespace {

// Block-local numbers of `names` become numbers of `column.values`; counts are added up. A category without a
// count is of rejected rows alone; a nested key without one has been zero.
Buffer<std::uint32_t> merge_names(const data::Alphabet& names, const Buffer<std::uint32_t>& counts,
                                  LearnedNames& column, bool is_category) {
  Buffer<std::uint32_t> values;
  values.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (counts[i] == 0 && is_category) {
      values.push_back(0);
      continue;
    }
    const FeatureId value = column.values.intern(names.name(static_cast<FeatureId>(i)));
    if (value == column.counts.size()) {
      column.counts.resize(value +
                           1);  // grows by less than push_back: columns may be many, with few values each
      column.counts.back() = 0;
    }
    column.counts[value] += counts[i];
    values.push_back(value);
  }
  return values;
}

// The same for n-grams, all of which have counts.
Buffer<std::uint32_t> merge_grams(const SparseColumn& block, LearnedNames& column) {
  Buffer<std::uint32_t> values;
  if (column.grams == nullptr) column.grams = std::make_unique<GramDictionary>();
  column.grams->merge(block.grams, column.values, values);
  while (column.counts.size() < column.values.size()) column.counts.push_back(0);
  for (std::size_t i = 0; i < values.size(); ++i) column.counts[values[i]] += block.frequency[i];
  return values;
}

void shrink(TableBlock& table) {
  RowBlock& rows = table.rows;
  rows.row_ends.shrink_to_fit();
  rows.ids.shrink_to_fit();
  rows.values64.shrink_to_fit();
  rows.row_labels.shrink_to_fit();
  rows.targets.shrink_to_fit();
  rows.weights.shrink_to_fit();
  rows.offsets.shrink_to_fit();
  for (CodeColumn& column : table.codes) {
    column.codes.shrink_to_fit();
    column.values = {};
    column.counts = {};
    column.entries = {};
  }
  for (SparseColumn& column : table.sparse) {
    column.row_ends.shrink_to_fit();
    column.ids.shrink_to_fit();
    column.counts.shrink_to_fit();
    column.values.shrink_to_fit();
    column.grams = {};
    column.names = {};
    column.frequency = {};
  }
  table.facts = {};
}

}  // namespace

struct TableLearner::State {
  State(const TablePlan& p, const ReadOptions& o, Log& log)
      : plan(&p), options(&o), policy(o, log), labels(o) {}

  // Adds the weights of rows to those of their categories.
  void weigh_categories(const TableBlock& block, const MergedBlock& merged) {
    std::vector<double*> places(block.num_categories, nullptr);  // gathered: by entry
    const std::uint32_t first = first_category_entry(*plan);
    for (std::size_t c = 0; c < plan->columns.size(); ++c) {
      const ColumnPlan& column = plan->columns[c];
      if (column.role != ColumnRole::feature || column.type != data::ColumnType::categorical) continue;
      LearnedNames& names = table.make_names(c);
      Buffer<double>& weights = names.weights;
      while (weights.size() < names.values.size()) weights.push_back(0);
      const CodeColumn& codes = block.codes[column.slot];
      const Buffer<std::uint32_t>& values = merged.code_values[column.slot];
      for (std::size_t r = 0; r < codes.codes.size(); ++r)
        if (codes.codes[r] != missing_code) weights[values[codes.codes[r]]] += block.rows.weights[r];
      for (std::size_t code = 0; code < codes.entries.size() && plan->is_gathered(); ++code)
        if (codes.counts[code] > 0) places[codes.entries[code] - first] = &weights[values[code]];
    }
    if (places.empty() || !plan->is_gathered()) return;
    std::size_t k = 0;
    for (std::size_t r = 0; r < block.rows.num_rows(); ++r)
      for (; k < block.rows.row_ends[r]; ++k)
        if (block.rows.ids[k] >= first) *places[block.rows.ids[k] - first] += block.rows.weights[r];
  }

  // Gathered rows: what the entries of a block are called in the table.
  void number_categories(const TableBlock& block, const MergedBlock& merged, RowPlacement& to) {
    if (block.num_categories == 0) {
      if (forecast.empty()) forecast_features();
      to.to_table = forecast.data();
      return;
    }
    const std::uint32_t first = first_category_entry(*plan);
    Buffer<std::uint32_t>& entries = to.own_table;
    entries.resize(first + block.num_categories);
    for (std::uint32_t id = 0; id < first; ++id) entries[id] = id;
    for (std::size_t c = 0; c < plan->columns.size(); ++c) {
      const ColumnPlan& column = plan->columns[c];
      if (column.role != ColumnRole::feature || column.type != data::ColumnType::categorical) continue;
      LearnedNames& learned = table.make_names(c);
      const std::size_t known = learned.entries.size();
      learned.entries.resize(learned.values.size());
      for (std::size_t value = known; value < learned.entries.size(); ++value)
        learned.entries[value] = first + table.num_categories++;
      const CodeColumn& codes = block.codes[column.slot];
      for (std::size_t code = 0; code < codes.entries.size(); ++code)
        entries[codes.entries[code]] =
            codes.counts[code] == 0 ? 0 : learned.entries[merged.code_values[column.slot][code]];
    }
    if (forecast.empty()) forecast_features();
    for (std::uint32_t& entry : entries)
      if (entry < forecast.size()) entry = forecast[entry];
    to.to_table = entries.data();
  }

  // After the first block: gives ids the numbers of features that they will have where the other blocks bring nothing
  // new. Where that comes true, nothing is left to do in the end.
  void forecast_features() {
    constexpr std::uint32_t none = 0xFFFFFFFF;
    forecast = Buffer<std::uint32_t>(first_category_entry(*plan) + table.num_categories, none);
    std::uint32_t next = 0;
    for (std::uint32_t c = 0; c < plan->columns.size(); ++c) {
      const ColumnPlan& column = plan->columns[c];
      if (column.role != ColumnRole::feature) continue;
      const LearnedNames& learned = table.names(c);
      if (column.type == data::ColumnType::numeric) forecast[c] = next++;
      if (column.type == data::ColumnType::categorical)
        for (const std::uint32_t value : byte_order(learned.values))
          forecast[learned.entries[value]] = next++;
    }
    for (std::uint32_t& id : forecast)
      if (id == none) id = next++;
  }

  const TablePlan* plan;
  const ReadOptions* options;
  BadRowPolicy policy;
  LearnedTable table;
  TableLabels labels;
  Buffer<std::uint32_t> forecast;  // gathered: other numbers for the ids of the table
};

TableLearner::TableLearner(const TablePlan& plan, const ReadOptions& options, Log& log)
    : state_(std::make_unique<State>(plan, options, log)) {
  state_->table.facts = TableFacts(plan.columns.size());
  state_->table.totals = ColumnTotals(plan, options.min_count > 1);
}
TableLearner::~TableLearner() = default;

void TableLearner::add(ReadBlock& read, double num_blocks) {
  TableBlock& block = read.table;
  LearnedTable& table = state_->table;
  state_->policy.take(block.rows);
  read.to.to_labels = state_->labels.add(block.rows);
  table.num_rows += block.rows.num_rows();
  table.dropped_rows += block.rows.dropped_rows;
  for (FeatureId key = 0; key < block.new_keys.size(); ++key) table.new_keys.intern(block.new_keys.name(key));
  read.any_missing = block.facts.any_missing();
  MergedBlock merged;
  merged.code_values.reserve(state_->plan->num_categorical);
  for (std::size_t c = 0; c < state_->plan->columns.size(); ++c) {
    const ColumnPlan& column = state_->plan->columns[c];
    if (column.role != ColumnRole::feature) continue;
    table.facts.merge(c, block.facts);
    switch (column.type) {
      case data::ColumnType::numeric:
        break;
      case data::ColumnType::categorical: {
        const CodeColumn& codes = block.codes[column.slot];
        merged.code_values.push_back(merge_names(codes.values, codes.counts, table.make_names(c), true));
        break;
      }
      case data::ColumnType::text:
        merged.sparse_values.push_back(merge_grams(block.sparse[column.slot], table.make_names(c)));
        break;
      case data::ColumnType::sparse: {
        const SparseColumn& sparse = block.sparse[column.slot];
        merged.sparse_values.push_back(
            merge_names(sparse.names, sparse.frequency, table.make_names(c), false));
        break;
      }
    }
  }
  if (!block.rows.weights.empty()) state_->weigh_categories(block, merged);
  if (state_->plan->is_gathered()) {
    const bool is_first = state_->forecast.empty();
    state_->number_categories(block, merged, read.to);
    if (is_first) reserve_gathered_rows(block.rows, num_blocks, table.gathered);
    make_room(block.rows, table.gathered, read.to);
    return;
  }
  for (std::uint32_t& label : block.rows.row_labels)
    if (label != no_label) label = static_cast<std::uint32_t>(read.to.to_labels[label]);
  block.rows.labels.clear();
  table.totals.add(block, read.any_missing);
  merged.table = std::exchange(block, TableBlock{});
  shrink(merged.table);
  table.blocks.push_back(std::move(merged));
}

void TableLearner::add_totals(const ReadBlock& block) {
  if (state_->plan->is_gathered()) state_->table.totals.add(block.table, block.any_missing);
}

bool TableLearner::has_room(const ReadBlock& block) const noexcept {
  return !state_->plan->is_gathered() || io::has_room(state_->table.gathered, block.table.rows);
}

LearnedTable TableLearner::finish() {
  state_->policy.finish();
  LearnedTable table = std::move(state_->table);
  table.bad_rows = state_->policy.bad_rows();
  for (std::size_t i = 0; i < state_->labels.size(); ++i) table.labels.emplace_back(state_->labels.name(i));
  table.facts.count_distinct();
  const Buffer<std::uint32_t> forecast = std::move(state_->forecast);
  table.renumbered.resize(forecast.size());
  for (std::uint32_t id = 0; id < forecast.size(); ++id) table.renumbered[forecast[id]] = id;
  return table;
}

}  // namespace lazylogit::io
