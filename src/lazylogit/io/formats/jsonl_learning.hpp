// Rows of JSON lines under a plan: what load_table calls for each block.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lazylogit/io/columns/table_block.hpp"
#include "lazylogit/io/formats/json_reader.hpp"

namespace lazylogit::io {

// Keys to columns of a plan.
class JsonKeyIndex {
 public:
  explicit JsonKeyIndex(const TablePlan& plan);
  std::uint32_t find(std::string_view key, std::uint32_t expected) const;

 private:
  const TablePlan* plan_;
  data::Alphabet names_;  // ids are column numbers
};

// Keys that the plan does not know go to out.new_keys, each with its kind in front: '{' for objects and
// arrays, '"' for other values.
void parse_jsonl(const ReadOptions& options, const TextBlock& block, const TablePlan& plan, TableBlock& out);

// The columns that the first lines suggest, with types. Stops at the first malformed line.
std::vector<ColumnPlan> glance_at_keys(std::string_view first_lines, const ReadOptions& options);

}  // namespace lazylogit::io
