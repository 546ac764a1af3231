// From merged blocks to sparse rows with final ids.
//
// Blocks are turned into rows in parallel, a few at a time, appended in order and freed, so that the table
// and its sparse form never lie in memory in full side by side. Values become 1 without storage where all of
// them are 1.
#pragma once

#include "lazylogit/io/columns/feature_layout.hpp"

namespace lazylogit::io {

// Consumes table.blocks. InputError for a value that float32 cannot hold when it was asked for.
data::Rows emit_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                     Precision precision, const CancelToken& cancel);

}  // namespace lazylogit::io
