#include "lazylogit/io/columns/column_totals.hpp"

#include <algorithm>
#include <cmath>

#include "lazylogit/math/target_clones.hpp"

namespace lazylogit::io {
namespace {

// Columns side by side, rows one after another: the order of each sum is that of the rows.
LAZYLOGIT_TARGET_CLONES void add_rows(const double* rows, std::size_t num_rows, std::size_t row_size,
                                      std::size_t width, double* sums) {
  for (std::size_t r = 0; r < num_rows; ++r)
    for (std::size_t i = 0; i < width; ++i) sums[i] += rows[r * row_size + i];
}

}  // namespace

ColumnTotals::ColumnTotals(const TablePlan& plan, bool count_nonzero)
    : num_columns_(static_cast<std::uint32_t>(plan.columns.size())),
      count_nonzero_(count_nonzero),
      sums_(plan.columns.size(), 0.0),
      nonzero_(count_nonzero ? plan.columns.size() : 0, 0) {
  numeric_.reserve(plan.columns.size());
  for (std::uint32_t c = 0; c < num_columns_; ++c)
    if (plan.columns[c].role == ColumnRole::feature && plan.columns[c].type == data::ColumnType::numeric)
      numeric_.push_back(c);
}

void ColumnTotals::add(const TableBlock& block, bool any_missing) {
  const RowBlock& rows = block.rows;
  if (count_nonzero_)
    for (std::size_t k = 0; k < rows.ids.size(); ++k)
      if (rows.ids[k] < num_columns_ && !std::isnan(rows.values64[k])) ++nonzero_[rows.ids[k]];
  if (!rows.weights.empty()) return add_weighted(rows);
  if (any_missing) {
    for (std::size_t k = 0; k < rows.ids.size(); ++k)
      if (rows.ids[k] < num_columns_ && !std::isnan(rows.values64[k])) sums_[rows.ids[k]] += rows.values64[k];
    return;
  }
  // A row has at most an entry for each numeric column: so many in all means that every row has them all.
  if (block.values.empty() && rows.ids.size() == rows.num_rows() * numeric_.size())
    return add_full_rows(rows.values64);
  // Entries of categories are added to places that nobody looks at.
  if (!block.values.empty())
    sums_.resize(std::max<std::size_t>(sums_.size(), 2 * num_columns_ + block.values.size()));
  double* const sums = sums_.data();
  const std::uint32_t* const ids = rows.ids.data();
  const double* const values = rows.values64.data();
  for (std::size_t k = 0, size = rows.ids.size(); k < size; ++k) sums[ids[k]] += values[k];
}

void ColumnTotals::add_full_rows(const Buffer<double>& values) {
  constexpr std::size_t widest = 4096;  // columns at a time
  for (std::size_t first = 0; first < numeric_.size(); first += widest) {
    const std::size_t width = std::min(widest, numeric_.size() - first);
    const std::uint32_t* const columns = numeric_.data() + first;
    in_full_.resize(width);
    for (std::size_t i = 0; i < width; ++i) in_full_[i] = sums_[columns[i]];
    add_rows(values.data() + first, values.size() / numeric_.size(), numeric_.size(), width, in_full_.data());
    for (std::size_t i = 0; i < width; ++i) sums_[columns[i]] = in_full_[i];
  }
}

void ColumnTotals::add_weighted(const RowBlock& rows) {
  is_weighted_ = true;
  missing_weights_.resize(num_columns_);
  std::size_t k = 0;
  for (std::size_t r = 0; r < rows.num_rows(); ++r) {
    const double weight = rows.weights[r];
    weight_ += weight;
    for (; k < rows.row_ends[r]; ++k) {
      const std::uint32_t id = rows.ids[k];
      if (id >= num_columns_) continue;
      if (std::isnan(rows.values64[k]))
        missing_weights_[id] += weight;
      else
        sums_[id] += weight * rows.values64[k];
    }
  }
}

}  // namespace lazylogit::io
