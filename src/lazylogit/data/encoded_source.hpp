// Tables whose columns have types, read where they lie: numbers, and codes that stand for one value of the column each, as
// frames hold their categories. Rows have the features that the columns were given, in the order of the columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lazylogit/data/dense_cells.hpp"
#include "lazylogit/data/row_source.hpp"

namespace lazylogit::data {

inline constexpr FeatureId no_entry = 0xFFFFFFFF;
inline constexpr FeatureId missing_entry = 0xFFFFFFFE;  // of a code: its cells are missing

// An entry of a row; none where the feature is no_entry.
struct EncodedEntry {
  FeatureId feature = no_entry;
  double value = 0;
};

// What each code of a column stands for.
struct CodeBook {
  Buffer<FeatureId> features;  // by code; no_entry: none, missing_entry: as if it were not there
  Buffer<double> values;       // by code; empty: every value is 1
};

// A cell is missing where it is NaN, where its code is not in the book (−1 for one), or where its bit says so.
struct EncodedColumn {
  DenseColumn cells;
  const std::byte* present_bits =
      nullptr;  // cell r is there where bit first_present + r is set; null: all are
  std::int64_t first_present = 0;
  FeatureId feature = no_entry;              // of a column of numbers
  std::shared_ptr<const CodeBook> book;      // of a column of codes; null: the cells are numbers
  std::array<EncodedEntry, 2> missing = {};  // what stands for a missing cell, features ascending
};

struct EncodedBatch {
  std::size_t num_rows = 0;
  std::vector<EncodedColumn> columns;
};

// Features ascend from column to column. Numbers that are there are finite, which the caller has checked.
SparseMatrix encoded_rows_over(std::vector<EncodedBatch> batches, std::size_t num_features);

// Calls body(row, number) for the cells of [first, last) that are there and gone(row) for the others.
template <class Body, class Gone>
void visit_present(const EncodedColumn& column, std::size_t first, std::size_t last, const Body& body,
                   const Gone& gone) {
  visit_cells(column.cells, [&](const auto& cell) {
    if (column.present_bits == nullptr) {
      for (std::size_t r = first; r < last; ++r) {
        const double number = cell(r);
        if (number != number) [[unlikely]]
          gone(r);
        else
          body(r, number);
      }
      return;
    }
    const Bits present{column.present_bits, column.first_present};
    for (std::size_t r = first; r < last; ++r) {
      const double number = cell(r);
      if (present(r) == 0 || number != number)
        gone(r);
      else
        body(r, number);
    }
  });
}

}  // namespace lazylogit::data
