// From gathered rows, whose ids are entries (gathered_rows.hpp), to the rows of the result: in place.
#pragma once

#include "lazylogit/io/columns/feature_layout.hpp"

namespace lazylogit::io {

// The final rows; those of the table are used up. InputError for a value that float32 cannot hold when it was asked for.
data::Rows take_gathered_rows(LearnedTable& table, const TablePlan& plan, const FeatureLayout& layout,
                              Precision precision);

}  // namespace lazylogit::io
