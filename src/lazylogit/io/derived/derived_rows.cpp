#include "lazylogit/io/derived/derived_rows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {

bool stores_double(const data::SparseMatrix& x, data::InputKind kind, Precision precision) {
  if (!std::holds_alternative<data::OnesValues>(x.values))
    return std::holds_alternative<Buffer<double>>(x.values);
  return precision == Precision::automatic ? kind == data::InputKind::columns
                                           : precision == Precision::float64;
}

void DerivedRows::push(const RowDeriver::Entry& entry, std::uint64_t number) {
  if (entry.second == 0) return;
  x_.ids.push_back(entry.first);
  all_ones_ = all_ones_ && entry.second == 1;
  if (store_double_) {
    wide_.push_back(entry.second);
    return;
  }
  const auto value = static_cast<float>(entry.second);
  if (!std::isfinite(value))
    throw InputError(
        {.message = "row " + std::to_string(number) + ": a derived value is beyond the range of float32",
         .hint = "--precision float64 holds it",
         .code = "overflow"});
  narrow_.push_back(value);
}

void DerivedRows::add(const std::vector<RowDeriver::Entry>& row, bool sorted, std::uint64_t number) {
  if (!sorted) {
    ids_.clear();
    for (const RowDeriver::Entry& entry : row) ids_.push_back(entry.first);
    std::sort(ids_.begin(), ids_.end());
    sorted = std::adjacent_find(ids_.begin(), ids_.end()) != ids_.end();
  }
  if (!sorted) {
    for (const RowDeriver::Entry& entry : row) push(entry, number);
  } else {
    row_ = row;
    std::stable_sort(row_.begin(), row_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t k = 0; k < row_.size();) {
      RowDeriver::Entry entry = row_[k++];
      for (; k < row_.size() && row_[k].first == entry.first; ++k) entry.second += row_[k].second;
      push(entry, number);
    }
  }
  x_.row_offsets.push_back(x_.ids.size());
}

std::uint64_t DerivedRows::memory_bytes() const noexcept {
  return x_.ids.size() * (store_double_ ? 12 : 8) + x_.row_offsets.size() * 12;
}

data::SparseMatrix DerivedRows::finish(std::size_t num_features) {
  x_.num_features = num_features;
  if (all_ones_)
    x_.values = data::OnesValues{};
  else if (store_double_)
    x_.values = std::move(wide_);
  else
    x_.values = std::move(narrow_);
  return std::move(x_);
}

}  // namespace lazylogit::io
