// The drive train of tables: passes over the blocks until every column's type is settled, then sparse rows.
#pragma once

#include <functional>

#include "lazylogit/io/columns/table_block.hpp"
#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

// Parses one block under a plan; called from several threads at once.
using ParseTableBlock = std::function<void(const TextBlock&, const TablePlan&, TableBlock& out)>;

struct TableRun {
  Format format = Format::csv;
  RecordRule rule = RecordRule::lines;
  TablePlan plan;              // roles, and the types assumed at first
  std::string place_of_types;  // a file, for errors without a better place
  bool names_are_first_line = false;
  std::size_t block_bytes = default_block_bytes;
  // jsonl: takes keys the plan does not know; the data is then read again. Tables with a header need none.
  std::function<void(const data::Alphabet& new_keys, TablePlan&)> extend;
};

// The inputs must be rewindable.
Loaded load_table(std::vector<Input>& inputs, TableRun run, const ParseTableBlock& parse,
                  const ReadOptions& options, Log& log, const CancelToken& cancel);

}  // namespace lazylogit::io
