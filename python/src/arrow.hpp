// Tables of any library that speaks Arrow, through the C data interface (PyCapsule protocol): __arrow_c_stream__, or
// __arrow_c_array__ for a single batch. Nothing of Arrow's is needed to build or run.
//
// Columns of integers, floats and booleans are numbers; text, dictionaries and nulls make the table one of columns with
// types, which the csv reader learns. Other types are a ValueError that names the column.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"

namespace lazylogit::python {

struct ArrowTable {
  std::vector<std::string> names;
  std::optional<Table> numbers;  // where every column is one of numbers
  std::string csv;               // else: header and records, with `target` as the last column
};

// `codes` become the column `target` of the csv, as c0, c1, …; without them there is none. Throws std::invalid_argument for
// types that are not read, nulls in a table of numbers, and what the producer reports.
ArrowTable read_arrow(nanobind::handle object, const std::optional<Array<std::int64_t>>& codes,
                      const std::string& target);

}  // namespace lazylogit::python
