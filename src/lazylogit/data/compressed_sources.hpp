// Compressed matrices as scipy has them, read where they lie: rows with 64-bit column numbers or with stored zeros, and
// columns.
//
// Columns have to be turned while they are read, which only pays in order: a piece of rows has an entry here and there in all
// columns. In columns with many entries each thread keeps the place of its next one, and a thread that begins elsewhere finds
// its places from one of a few stations. Where such places would be dear against the entries, in columns with few of them,
// every piece looks at the rows of all entries. Beside the matrix this takes less than a tenth of it, whatever its columns
// are; a pass takes a few times as long as over rows that are stored as such, or with short columns alone ten times.
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
