// Rows of JSON lines under a plan: what load_table calls for each block.
#pragma once

#include <string>
#include <vector>

#include "lazylogit/io/columns/table_block.hpp"
#include "lazylogit/io/formats/json_reader.hpp"

namespace lazylogit::io {

// Keys that the plan does not know go to out.new_keys, each with its kind in front: '{' for objects and
// arrays, '"' for other values. The plan's names must have an index.
void parse_jsonl(const ReadOptions& options, const TextBlock& block, const TablePlan& plan, TableBlock& out);

// The columns that the first lines suggest, with types; their names have an index. Stops at the first malformed line, or
// leaves it out where bad rows are skipped.
TableColumns glance_at_keys(std::string_view first_lines, const ReadOptions& options);

}  // namespace lazylogit::io
