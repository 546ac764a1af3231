// Rows of JSON lines under a model's columns. Keys that the model does not know are left out and noted.
#pragma once

#include <memory>

#include "lazylogit/io/columns/applied_columns.hpp"
#include "lazylogit/io/formats/format.hpp"

namespace lazylogit::io {

// Everything a block parser needs; shared by all threads.
struct JsonlApplication {
  std::vector<AppliedColumn> columns;
  data::Alphabet keys;  // ids are numbers of columns
  ColumnEncoder encoder;
  const ReadOptions* options = nullptr;
  Precision precision = Precision::float64;
  RowRoles::Present present;
  std::vector<std::uint32_t> cell_of;  // of each column the first one with its key, whose cell it shares
  data::Alphabet ignored;              // keys that the model leaves out
};

// `first_lines` tells which of the optional roles the data has.
std::shared_ptr<const JsonlApplication> apply_to_jsonl(const FixedNames& names, const ReadOptions& options,
                                                       std::string_view first_lines);

void parse_jsonl(const JsonlApplication& application, const TextBlock& block, RowBlock& out);

}  // namespace lazylogit::io
