// Tables of numbers and categories: blocks go to one growing set of rows while the file is read, and these become
// the result in place (gathered_result.hpp). Tables with text or nested columns keep their blocks until the features are
// known, which costs a second copy.
//
// Ids of gathered entries, with C columns: below C the number of a numeric column; then C + c for a missing cell of
// column c; then categories, numbered by first appearance over all columns. A missing cell has two entries, a
// stand-in whose value is NaN (its id is c for numbers, C + c for categories) and the mark C + c. So the final row
// has never more entries than the gathered one, and the same order unless it is hashed. On the way these ids change places
// (LearnedTable::renumbered), so that most tables have their final ids from the start.
//
// Room for the rows of a block is made in the order of the blocks; they are copied there in any order, by several threads
// at once.
#pragma once

#include <vector>

#include "lazylogit/data/dataset.hpp"
#include "lazylogit/io/columns/table_plan.hpp"
#include "lazylogit/io/row_block.hpp"

namespace lazylogit::io {

inline std::uint32_t missing_entry(const TablePlan& plan, std::uint32_t column) noexcept {
  return static_cast<std::uint32_t>(plan.columns.size()) + column;
}
inline std::uint32_t first_category_entry(const TablePlan& plan) noexcept {
  return 2 * static_cast<std::uint32_t>(plan.columns.size());
}

struct GatheredRows {
  data::Rows rows;        // without values; labels are those of the table
  Buffer<double> values;  // as rows.x.ids; none as long as all are 1
  bool all_ones = true;
  std::size_t room_for_rows = 0, room_for_entries = 0;
};

// Where the rows of a block go, and what their ids and labels are called there. No rows: nowhere.
struct RowPlacement {
  std::uint64_t* row_ends = nullptr;
  std::uint64_t entries_before = 0;
  std::uint32_t* ids = nullptr;
  double* values = nullptr;  // none: nowhere
  ClassId* labels = nullptr;
  const std::uint32_t* to_table = nullptr;  // by id of the block
  Buffer<std::uint32_t> own_table;          // … where it differs from block to block
  std::vector<ClassId> to_labels;           // by label of the block
};

// Makes room in `all` for about `num_blocks` blocks like `first`: address space only, so a wrong guess costs
// nothing, and pages are large from the start.
void reserve_gathered_rows(const RowBlock& first, double num_blocks, GatheredRows& all);

// Whether the rows of `block` fit without moving those that are there: where they do not, make_room must not be called
// before all rows are placed.
bool has_room(const GatheredRows& all, const RowBlock& block) noexcept;

// Stores the values of all entries, though they are 1.
void store_ones(GatheredRows& all);

// Lengthens `all` by the rows of `block`, and fills in where they go; takes what rows may have besides entries and labels.
void make_room(RowBlock& block, GatheredRows& all, RowPlacement& to);

// Copies the rows there. The block keeps its memory.
void place_rows(const RowBlock& block, const RowPlacement& to) noexcept;

}  // namespace lazylogit::io
