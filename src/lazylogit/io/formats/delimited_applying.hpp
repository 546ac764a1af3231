// Rows of delimited text under a model's columns.
#pragma once

#include <memory>

#include "lazylogit/io/columns/applied_columns.hpp"
#include "lazylogit/io/formats/delimited_header.hpp"

namespace lazylogit::io {

// Everything a block parser needs; shared by all threads.
struct DelimitedApplication {
  DelimitedOutline outline;  // its names are those of columns
  std::vector<AppliedColumn> columns;
  ColumnEncoder encoder;
  const ReadOptions* options = nullptr;
  Precision precision = Precision::float64;
  bool is_stream = false;  // names grow
};

std::shared_ptr<const DelimitedApplication> apply_to_tables(std::vector<Input>& inputs,
                                                            const FixedNames& names, Format format,
                                                            const ReadOptions& options, Log& log);

void parse_delimited(const DelimitedApplication& application, const TextBlock& block, RowBlock& out);

}  // namespace lazylogit::io
