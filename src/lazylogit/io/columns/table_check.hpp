// A pass over a table that keeps nothing of its rows, before the passes that do: a bad row of a table with very many
// columns is refused in memory that depends on the columns and the longest record alone, whatever the rows before it
// hold, and the types of columns are known when rows are kept for the first time.
//
// It takes up to 100 bytes a column. Errors of rows, and the limit on classes, are what a pass that keeps rows throws.
#pragma once

#include <functional>

#include "lazylogit/base/cancel.hpp"
#include "lazylogit/io/columns/column_facts.hpp"
#include "lazylogit/io/columns/table_block.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {

struct CheckedTable {
  TableFacts facts;         // of columns as in the plan
  data::Alphabet new_keys;  // jsonl: those of blocks, by first appearance
};

// `plan` is one that only checks; `parse` parses a block under it, on several threads at once.
CheckedTable check_rows(TextBlocks& blocks, const TablePlan& plan,
                        const std::function<void(const TextBlock&, TableBlock& out)>& parse,
                        const ReadOptions& options, Log& log, const CancelToken& cancel);

// Takes the types that the cells seem to have for the next pass, which finds out whether they do.
void assume_types(const CheckedTable& table, TablePlan& plan);

}  // namespace lazylogit::io
