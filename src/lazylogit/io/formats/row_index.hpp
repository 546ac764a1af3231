// The column without a name that pandas (to_csv) and R (write.csv) put before the others: names of rows, often their
// numbers. It is an index and no feature, unless an option speaks of it by its place, "#1".
#pragma once

#include <string_view>

#include "lazylogit/base/log.hpp"
#include "lazylogit/io/formats/delimited_header.hpp"

namespace lazylogit::io {

inline constexpr std::string_view row_index_name = "#1";

// The options with which a table that begins with such a column is read: it is ignored, with a notice. InputError where
// its first values are no index: they repeat and do not count rows.
ReadOptions with_row_index(const ReadOptions& options, const DelimitedOutline& outline, Input& input,
                           Log& log);

}  // namespace lazylogit::io
