// Rows of delimited text under a plan: what load_table calls for each block.
#pragma once

#include "lazylogit/io/columns/table_block.hpp"
#include "lazylogit/io/formats/delimited_header.hpp"

namespace lazylogit::io {

// `outline` and `options` must outlive the calls.
void parse_delimited(const DelimitedOutline& outline, const ReadOptions& options, const TextBlock& block,
                     const TablePlan& plan, TableBlock& out);

// Sets the types that the first records suggest.
void assume_types(const DelimitedOutline& outline, std::string_view first_records, TablePlan& plan);

}  // namespace lazylogit::io
