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
#include "lazylogit/io/text/all_grams.hpp"

namespace lazylogit::io {

// The n-grams of a column of texts over all blocks, where few columns are texts.
struct LearnedGrams {
  data::Alphabet names;          // by first appearance
  Buffer<std::uint64_t> counts;  // rows per n-gram, where that is asked for
  AllGrams grams;                // where they are looked up
};

// A block on its way into the table.
struct ReadBlock {
  TableBlock table;
  bool any_missing = false;  // some cell of its rows is
  RowPlacement to;           // gathered: where the rows go
};

struct LearnedTable {
  TableFacts facts;  // of columns as in the plan
  std::vector<TableBlock>
      blocks;  // without dictionaries, which are those of the table; none when the plan is gathered
  GatheredRows gathered;             // all rows then
  ColumnValues values;               // categories, keys, and n-grams where many columns are texts
  Buffer<std::uint64_t> counts;      // rows per value
  Buffer<double> weights;            // of categories: Σ of their rows' weights; empty where rows have none
  std::vector<LearnedGrams> grams;   // per text slot, where there are not many
  Buffer<std::uint32_t> renumbered;  // gathered: what an id of the rows was, where it is less than the size
  std::vector<std::string> labels;   // canonical, by first appearance; row_labels of blocks refer to it
  data::Alphabet new_keys;           // jsonl: those of blocks, by first appearance
  ColumnTotals totals;
  std::uint64_t num_rows = 0, dropped_rows = 0, bad_rows = 0;

  // After the names of features have been made of them.
  void drop_names() {
    values = {};
    counts = {};
    weights = {};
    grams = std::vector<LearnedGrams>();
  }
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
