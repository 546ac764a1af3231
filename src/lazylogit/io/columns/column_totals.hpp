// Sums over the rows of a table, added up in their order whatever the blocks were: what missing cells are imputed with.
//
// The mean of a numeric column is Σ w x / Σ w over the rows where it is present, and the most frequent category the one
// with the largest Σ w; w is the row's weight, 1 where rows have none. So a row of weight 2 counts as two rows.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/io/columns/table_block.hpp"
#include "lazylogit/io/columns/table_plan.hpp"

namespace lazylogit::io {

class ColumnTotals {
 public:
  ColumnTotals() = default;
  // `count_nonzero`: nonzero() will be asked for.
  ColumnTotals(const TablePlan& plan, bool count_nonzero);
  // Of rows without weights, added up elsewhere: by column.
  ColumnTotals(std::vector<double> sums, std::vector<std::uint64_t> nonzero)
      : sums_(std::move(sums)), nonzero_(std::move(nonzero)) {}

  // The numbers of a block's rows, and their weights. `any_missing`: some cell of them is.
  void add(const TableBlock& block, bool any_missing);

  // Σ w x of a numeric column.
  double sum(std::uint32_t column) const noexcept { return sums_[column]; }
  // Σ w over the rows in which the column is present. `present` of them are.
  double weight(std::uint32_t column, std::uint64_t present) const noexcept {
    return is_weighted_ ? weight_ - missing_weights_[column] : static_cast<double>(present);
  }
  // Rows in which a numeric column is not 0.
  std::uint64_t nonzero(std::uint32_t column) const noexcept { return nonzero_[column]; }
  bool is_weighted() const noexcept { return is_weighted_; }

 private:
  void add_full_rows(const Buffer<double>& values);
  void add_weighted(const RowBlock& rows);

  std::uint32_t num_columns_ = 0;
  std::vector<std::uint32_t> numeric_;  // the columns that are
  bool count_nonzero_ = false, is_weighted_ = false;
  double weight_ = 0;
  std::vector<double> sums_;             // by id of an entry; those of columns count
  std::vector<double> in_full_;          // of some columns of numeric_, while rows are full
  std::vector<double> missing_weights_;  // where rows have weights
  std::vector<std::uint64_t> nonzero_;
};

}  // namespace lazylogit::io
