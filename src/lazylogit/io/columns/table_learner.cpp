#include "lazylogit/io/columns/table_learner.hpp"

#include <utility>

#include "lazylogit/io/columns/feature_layout.hpp"
#include "lazylogit/io/columns/table_labels.hpp"

namespace lazylogit::io {
namespace {

// What n-grams of a block are called in `column`; counts are added up if they are wanted.
Buffer<std::uint32_t> merge_grams(const TextGrams& block, bool counted, LearnedGrams& column) {
  Buffer<std::uint32_t> grams;
  column.grams.merge(block.grams, column.names, grams);
  if (!counted) return grams;
  while (column.counts.size() < column.names.size()) column.counts.push_back(0);
  for (std::size_t i = 0; i < grams.size(); ++i) column.counts[grams[i]] += block.counts[i];
  return grams;
}

// Cells of texts have n-grams of the table from now on. to_table: of each text slot.
void renumber_texts(SparseCells<float>& texts, const std::vector<Buffer<std::uint32_t>>& to_table) {
  std::uint32_t k = 0;
  for (std::size_t cell = 0; cell < texts.ends.size(); ++cell)
    for (const Buffer<std::uint32_t>& grams = to_table[cell % to_table.size()]; k < texts.ends[cell]; ++k)
      if (texts.ids[k] != missing_code) texts.ids[k] = grams[texts.ids[k]];
}

// Leaves no room for more: there may be very many blocks.
void shrink(TableBlock& table) {
  const auto fit = [](auto&... buffers) {
    const auto fit_one = [](auto& buffer) {
      if (buffer.empty())
        buffer = {};
      else
        buffer.shrink_to_fit();
    };
    (fit_one(buffers), ...);
  };
  RowBlock& rows = table.rows;
  fit(rows.row_ends, rows.ids, rows.values64, rows.row_labels, rows.targets, rows.weights, rows.offsets);
  fit(table.codes, table.texts.ends, table.texts.ids, table.texts.amounts);
  fit(table.nested.ends, table.nested.ids, table.nested.amounts);
  table.values = {};
  table.counts = {};
  table.grams.clear();
  table.facts = {};
}

}  // namespace

struct TableLearner::State {
  State(const TablePlan& p, const ReadOptions& o, Log& log)
      : plan(&p), options(&o), policy(o, log), labels(o) {}

  // What the values of a block are called in the table; their counts are added up. A category without a count is of
  // rejected rows alone, and called nothing; a nested key without one has been zero.
  Buffer<std::uint32_t> merge_values(const TableBlock& block) {
    Buffer<std::uint32_t> values;
    values.reserve(block.values.size());
    for (std::uint32_t i = 0; i < block.values.size(); ++i) {
      const std::uint32_t c = block.values.column(i);
      if (block.counts[i] == 0 && plan->columns[c].type == data::ColumnType::categorical) {
        values.push_back(0);
        continue;
      }
      const std::uint32_t value = table.values.intern(c, block.values.name(i));
      if (value == table.counts.size()) table.counts.push_back(0);
      table.counts[value] += block.counts[i];
      values.push_back(value);
    }
    return values;
  }

  // Adds the weights of rows to those of their categories.
  void weigh_categories(const TableBlock& block, const Buffer<std::uint32_t>& values) {
    while (table.weights.size() < table.values.size()) table.weights.push_back(0);
    const RowBlock& rows = block.rows;
    if (!plan->is_gathered()) {
      for (std::size_t k = 0; k < block.codes.size(); ++k)
        if (block.codes[k] != missing_code)
          table.weights[values[block.codes[k]]] += rows.weights[k / plan->num_categorical];
      return;
    }
    const std::uint32_t first = first_category_entry(*plan);
    std::size_t k = 0;
    for (std::size_t r = 0; r < rows.num_rows(); ++r)
      for (; k < rows.row_ends[r]; ++k)
        if (rows.ids[k] >= first) table.weights[values[rows.ids[k] - first]] += rows.weights[r];
  }

  // Cells have values of the table from now on.
  void renumber_cells(TableBlock& block, const Buffer<std::uint32_t>& values) const {
    const auto renumber = [&](Buffer<std::uint32_t>& ids) {
      for (std::uint32_t& id : ids)
        if (id != missing_code) id = values[id];
    };
    renumber(block.codes);
    renumber(block.nested.ids);
    if (plan->has_many_texts()) renumber(block.texts.ids);
  }

  // Gathered rows: what the entries of a block are called in the table.
  void number_categories(const TableBlock& block, const Buffer<std::uint32_t>& values, RowPlacement& to) {
    if (forecast.empty()) forecast_features();
    if (block.values.empty()) {
      to.to_table = forecast.data();
      return;
    }
    const std::uint32_t first = first_category_entry(*plan);
    Buffer<std::uint32_t>& entries = to.own_table;
    entries.resize(first + values.size());
    for (std::uint32_t id = 0; id < first; ++id) entries[id] = id;
    for (std::size_t i = 0; i < values.size(); ++i)
      entries[first + i] = block.counts[i] == 0 ? 0 : first + values[i];
    for (std::uint32_t& entry : entries)
      if (entry < forecast.size()) entry = forecast[entry];
    to.to_table = entries.data();
  }

  // After the first block: gives ids the numbers of features that they will have where the other blocks bring nothing
  // new. Where that comes true, nothing is left to do in the end.
  void forecast_features() {
    constexpr std::uint32_t none = 0xFFFFFFFF;
    const std::uint32_t first = first_category_entry(*plan);
    forecast = Buffer<std::uint32_t>(first + table.values.size(), none);
    std::uint32_t next = 0;
    for (std::uint32_t c = 0; c < plan->columns.size(); ++c) {
      const ColumnPlan& column = plan->columns[c];
      if (column.role != ColumnRole::feature) continue;
      if (column.type == data::ColumnType::numeric) forecast[c] = next++;
      if (column.type == data::ColumnType::categorical)
        for (const std::uint32_t value : byte_order(table.values, c)) forecast[first + value] = next++;
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
  for (std::size_t c = 0; c < state_->plan->columns.size(); ++c)
    if (state_->plan->columns[c].role == ColumnRole::feature) table.facts.merge(c, block.facts);
  const Buffer<std::uint32_t> values = state_->merge_values(block);
  table.grams.resize(block.grams.size());
  std::vector<Buffer<std::uint32_t>> to_table;
  const bool counted = state_->plan->text.tfidf || state_->options->min_count > 1;
  for (std::size_t slot = 0; slot < block.grams.size(); ++slot)
    to_table.push_back(merge_grams(block.grams[slot], counted, table.grams[slot]));
  if (!to_table.empty()) renumber_texts(block.texts, to_table);
  if (!block.rows.weights.empty()) state_->weigh_categories(block, values);
  if (state_->plan->is_gathered()) {
    const bool is_first = state_->forecast.empty();
    state_->number_categories(block, values, read.to);
    if (is_first) reserve_gathered_rows(block.rows, num_blocks, table.gathered);
    make_room(block.rows, table.gathered, read.to);
    return;
  }
  state_->renumber_cells(block, values);
  for (std::uint32_t& label : block.rows.row_labels)
    if (label != no_label) label = static_cast<std::uint32_t>(read.to.to_labels[label]);
  block.rows.labels.clear();
  table.totals.add(block, read.any_missing);
  table.blocks.push_back(std::exchange(block, TableBlock{}));
  shrink(table.blocks.back());
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
  table.values.drop_index();
  for (LearnedGrams& grams : table.grams) grams.grams = {};
  const Buffer<std::uint32_t> forecast = std::move(state_->forecast);
  table.renumbered.resize(forecast.size());
  for (std::uint32_t id = 0; id < forecast.size(); ++id) table.renumbered[forecast[id]] = id;
  return table;
}

}  // namespace lazylogit::io
