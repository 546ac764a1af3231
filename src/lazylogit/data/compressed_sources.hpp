// Compressed matrices as scipy has them, read where they lie: rows with 64-bit column numbers or with stored zeros, and
// columns.
//
// Columns have to be turned while they are read, which only pays in order: every piece looks at the next entry of each
// column, so that a piece has to have many rows, and a thread that begins elsewhere finds its place in every column from one
// of a few stations. A pass takes a few times as long as over rows that are stored as such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "lazylogit/data/row_source.hpp"

namespace lazylogit::data {

// Row i, or column i, has the entries [ends[i], ends[i + 1]); `places` are their columns, or rows, ascending strictly. Index
// is std::int32_t or std::int64_t, Value float or double. All is checked by the caller but the values, which may be 0.
template <class Index, class Value>
struct CompressedArrays {
  const Index* ends;
  const Index* places;
  const Value* values;
  std::size_t num_rows, num_columns;
};

template <class Index, class Value>
SparseMatrix rows_over(const CompressedArrays<Index, Value>& rows);

template <class Index, class Value>
SparseMatrix columns_over(const CompressedArrays<Index, Value>& columns);

}  // namespace lazylogit::data
