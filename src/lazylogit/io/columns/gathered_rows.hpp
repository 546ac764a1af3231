// Tables of numbers and categories: blocks go to one growing set of rows while the file is read, and these become
// the result in place. Tables with text or nested columns keep their blocks until the features are known, which
// costs a second copy.
//
// Ids of gathered entries, with C columns: below C the number of a numeric column; then C + c for a missing cell of
// column c; then categories, numbered by first appearance over all columns. A missing cell has two entries, a
// stand-in whose value is NaN (its id is c for numbers, C + c for categories) and the mark C + c. So the final row
// has never more entries than the gathered one, and the same order unless it is hashed. On the way these ids change places
// (LearnedTable::renumbered), so that most tables have their final ids from the start.
#pragma once

#include "lazylogit/io/columns/feature_layout.hpp"

namespace lazylogit::io {

inline std::uint32_t missing_entry(const TablePlan& plan, std::uint32_t column) noexcept {
  return static_cast<std::uint32_t>(plan.columns.size()) + column;
}
inline std::uint32_t first_category_entry(const TablePlan& plan) noexcept {
  return 2 * static_cast<std::uint32_t>(plan.columns.size());
}

// Makes room in `all` for about `num_blocks` blocks like `first`: address space only, so a wrong guess costs
// nothing, and pages are large from the start.
void reserve_gathered_rows(const RowBlock& first, double num_blocks, RowBlock& all);

// Appends the rows of `block`, whose labels are those of the table, to `all`; ids go through `to_table`. The block keeps its
// memory.
void gather_rows(RowBlock& block, const Buffer<std::uint32_t>& to_table, RowBlock& all);

// The final rows; the table's only block is used up.
data::Rows take_gathered_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                              Precision precision);

}  // namespace lazylogit::io
