#include "lazylogit/io/columns/table_check.hpp"

#include "lazylogit/base/free_memory.hpp"
#include "lazylogit/io/block_pipeline.hpp"
#include "lazylogit/io/columns/table_labels.hpp"
#include "lazylogit/io/dataset_builder.hpp"

namespace lazylogit::io {
namespace {

// What it says will be said again by the passes that follow.
class ProgressOnly final : public Log {
 public:
  explicit ProgressOnly(Log& log) : log_(&log) {}
  void progress(const Progress& progress) override { log_->progress(progress); }

 private:
  Log* log_;
};

// How many blocks may be in flight: each has something for every column.
std::size_t most_checked_blocks(const TablePlan& plan) {
  constexpr std::size_t all = std::size_t{64} << 20, each = 80;
  return all / (1 + each * plan.columns.size());
}

}  // namespace

CheckedTable check_rows(TextBlocks& blocks, const TablePlan& plan,
                        const std::function<void(const TextBlock&, TableBlock& out)>& parse,
                        const ReadOptions& options, Log& log, const CancelToken& cancel) {
  ProgressOnly progress(log);
  CheckedTable table;
  table.facts = TableFacts(plan.columns.size());
  BadRowPolicy policy(options, progress);
  TableLabels labels(options);
  BlockPipeline<TableBlock> pipeline(blocks, parse, {.most_blocks = most_checked_blocks(plan)}, progress,
                                     cancel);
  release_free_memory();
  while (TableBlock* const block = pipeline.next()) {
    policy.take(block->rows);
    labels.add(block->rows);
    for (FeatureId key = 0; key < block->new_keys.size(); ++key)
      table.new_keys.intern(block->new_keys.name(key));
    for (std::size_t c = 0; c < plan.columns.size(); ++c)
      if (plan.columns[c].role == ColumnRole::feature) table.facts.merge(c, block->facts);
  }
  policy.finish();
  return table;
}

void assume_types(const CheckedTable& table, TablePlan& plan) {
  for (std::size_t c = 0; c < table.facts.size(); ++c) {
    ColumnPlan& column = plan.columns[c];
    if (column.role != ColumnRole::feature || column.type_is_given ||
        column.type != data::ColumnType::numeric)
      continue;
    const ColumnFacts& facts = table.facts[c];
    if (facts.has_other != 0) {
      column.type = data::ColumnType::categorical;
    } else if (facts.has_nested != 0 && facts.has_number == 0) {
      column.type = data::ColumnType::sparse;
      column.type_is_given = true;
    }
  }
  number_slots(plan);
}

}  // namespace lazylogit::io
