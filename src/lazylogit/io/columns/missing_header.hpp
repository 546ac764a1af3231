// Tells a table whose first line is a row like the others from one with a header.
//
// Taken for a header, such a line would cost a row and give the columns nonsense for names, silently. It shows
// in a column whose name is one of its own values: a number over numbers, or a name that occurs below it (a column
// "female" of female and male does not count where as many names stand over numbers elsewhere). A table is judged only where
// nothing vouches for its header: no --target, and no column with a usual name.
#pragma once

#include <string>

#include "lazylogit/io/columns/table_learner.hpp"

namespace lazylogit::io {

// InputError at the first line of `file` when the header of the table looks like a row.
void refuse_missing_header(const LearnedTable& table, const TablePlan& plan, const std::string& file);

}  // namespace lazylogit::io
