// Puts the blocks of one pass over a table together, in order, and judges what each column holds.
//
// A feature column is numeric when every present cell is a number; otherwise text when more than half of the
// cells hold a blank and more than half are distinct; else categorical. Options override. Cells that are
// meant as numbers but are none (decimal commas, inf, digit separators, hexadecimal) in a column that would
// otherwise be numeric are refused.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lazylogit/data/class_table.hpp"
#include "lazylogit/io/columns/column_totals.hpp"
#include "lazylogit/io/columns/gathered_rows.hpp"
#include "lazylogit/io/columns/table_block.hpp"
#include "lazylogit/io/dataset_builder.hpp"

namespace lazylogit::io {

// The values of a column over all blocks; columns of numbers have none.
struct LearnedNames {
  data::Alphabet values;                  // categories, n-grams or keys, by first appearance
  Buffer<std::uint64_t> counts;           // rows per value
  Buffer<double> weights;                 // categories: Σ of their rows' weights; empty where rows have none
  Buffer<std::uint32_t> entries;          // categories of gathered rows: their ids there
  std::unique_ptr<GramDictionary> grams;  // text: where the values are looked up
};

// A block on its way into the table.
struct ReadBlock {
  TableBlock table;
  bool any_missing = false;  // some cell of its rows is
  RowPlacement to;           // gathered: where the rows go
};

// A block after its names have gone to the dictionaries of the whole table.
struct MergedBlock {
  TableBlock table;                                // names emptied
  std::vector<Buffer<std::uint32_t>> code_values;  // per categorical slot: block code -> value of the column
  std::vector<Buffer<std::uint32_t>> sparse_values;  // per sparse slot: block id -> value of the column
};

struct LearnedTable {
  TableFacts facts;                  // of columns as in the plan
  std::vector<MergedBlock> blocks;   // none when the plan is gathered
  GatheredRows gathered;             // all rows then
  std::uint32_t num_categories = 0;  // gathered: of all columns
  Buffer<std::uint32_t> renumbered;  // gathered: what an id of the rows was, where it is less than the size
  std::vector<std::string> labels;   // canonical, by first appearance; row_labels of blocks refer to it
  data::Alphabet new_keys;           // jsonl: those of blocks, by first appearance
  ColumnTotals totals;
  std::uint64_t num_rows = 0, dropped_rows = 0, bad_rows = 0;

  const LearnedNames& names(std::size_t column) const noexcept {
    static const LearnedNames none;
    return names_.empty() || names_[column] == nullptr ? none : *names_[column];
  }
  // Makes room for the names of every column: several threads may ask for those of different ones then.
  void reserve_names() { names_.resize(facts.size()); }
  LearnedNames& make_names(std::size_t column) {
    reserve_names();
    if (names_[column] == nullptr) names_[column] = std::make_unique<LearnedNames>();
    return *names_[column];
  }

 private:
  std::vector<std::unique_ptr<LearnedNames>> names_;  // by column, once there are some
};

class TableLearner {
 public:
  TableLearner(const TablePlan& plan, const ReadOptions& options, Log& log);
  ~TableLearner();
  // Takes the next block; errors of its rows are handled as the options say. `num_blocks` is about how many
  // there will be in all, 0 when that is not known. Gathered rows stay in the block: place_rows() is to bring them to where
  // `block.to` says, before finish() and before an add() for which has_room() is false.
  void add(ReadBlock& block, double num_blocks);
  // Adds up what gathered rows hold: after add() and in the same order, before place_rows(). May run beside add().
  void add_totals(const ReadBlock& block);
  bool has_room(const ReadBlock& block) const noexcept;
  // All blocks are there. The learner is empty afterwards.
  LearnedTable finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Sets the types that the data has; false when one of them is not what the pass assumed.
bool settle_types(const LearnedTable& table, TablePlan& plan);

// Says what a user should know about columns: mixed, constant, empty, id-like, imputed.
void report_columns(const LearnedTable& table, const TablePlan& plan, Log& log);

}  // namespace lazylogit::io
