// The short cut for tables of numbers alone: blocks go to one growing set of rows while the file is read, and
// these become the result in place. Every other table keeps its blocks until the features are known, which
// costs a second copy.
#pragma once

#include "lazylogit/io/columns/feature_layout.hpp"

namespace lazylogit::io {

// Whether blocks read by this plan hold numbers alone (and so nothing that is numbered block by block).
bool holds_numbers_alone(const TablePlan& plan);

// Makes room in `all` for about `num_blocks` blocks like `first`: address space only, so a wrong guess costs
// nothing, and pages are large from the start.
void reserve_gathered_rows(const RowBlock& first, double num_blocks, RowBlock& all);

// Appends the rows of `block`, whose labels are those of the table, to `all`. The block keeps its memory.
void gather_rows(RowBlock& block, RowBlock& all);

// Moves the only block to `rows` when its numbers are the final values: float64, not hashed, nothing missing,
// no column with non-zero cells left out. False, with nothing changed, otherwise.
bool take_gathered_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                        Precision precision, data::Rows& rows);

// Splits gathered rows into blocks again, from the end and giving memory back on the way.
void spread_gathered_rows(LearnedTable& table);

}  // namespace lazylogit::io
