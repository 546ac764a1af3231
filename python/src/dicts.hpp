// Lists of dictionaries, one per row: {"age": 31, "job": "teacher"}.
//
// A number is the value of the feature called like its key; text is the feature "key=text" with the value 1; a key that is
// absent, and a zero, is zero. True is 1. Anything else is a TypeError, a number that is not finite a ValueError.
#pragma once

#include <nanobind/nanobind.h>

#include "table.hpp"

namespace lazylogit::python {

// Names by first appearance.
Table table_of_dicts(const nanobind::list& rows);
// Columns of `known`, whose index is built; other names are counted in `unknown`.
Table table_of_dicts(const nanobind::list& rows, const data::Alphabet& known, std::size_t num_features,
                     std::size_t& unknown);

}  // namespace lazylogit::python
