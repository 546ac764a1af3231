// The rows of a matrix as the vector kernels take them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/data/sparse_matrix.hpp"
#include "lazylogit/optim/stochastic/kernels/row_kernels.hpp"

namespace lazylogit::optim {

class EntryTable {
 public:
  explicit EntryTable(const data::SparseMatrix& x)
      : source_(x.source.get()),
        offsets_(x.row_offsets.data()),
        ids_(x.ids.data()),
        values_(static_cast<const char*>(value_data(x))),
        value_size_(value_type(x) == ValueType::ones     ? 0
                    : value_type(x) == ValueType::floats ? sizeof(float)
                                                         : sizeof(double)) {
    for (std::size_t r = 0; r < x.num_rows(); ++r)
      longest_ = std::max<std::size_t>(longest_, offsets_[r + 1] - offsets_[r]);
  }
  std::size_t longest() const noexcept { return longest_; }
  RowEntries row(std::size_t r) const noexcept {
    if (source_ != nullptr) [[unlikely]]
      return gathered(r);
    const std::uint64_t from = offsets_[r];
    return {ids_ + from, values_ == nullptr ? nullptr : values_ + from * value_size_, offsets_[r + 1] - from};
  }
  // Shuffled rows lie anywhere: ask for the place of one, later for itself, some examples before its turn.
  void prefetch_place(std::size_t r) const noexcept { lazylogit::prefetch(offsets_ + r); }
  void prefetch(std::size_t r) const noexcept {
    if (source_ != nullptr) return;
    const std::uint64_t from = offsets_[r], to = offsets_[r + 1];
    prefetch_bytes(reinterpret_cast<const char*>(ids_ + from), (to - from) * sizeof(FeatureId));
    prefetch_bytes(values_ + from * value_size_, (to - from) * value_size_);
  }

  // Coefficients that do not fit a core's own cache: ask for those of an example that is learned soon.
  // `width` doubles for each feature.
  void prefetch_records(std::size_t r, std::span<const double> table, std::size_t width) const noexcept {
    if (table.size_bytes() < out_of_cache || source_ != nullptr) return;
    for (std::uint64_t k = offsets_[r]; k < offsets_[r + 1]; ++k) {
      const double* record = table.data() + ids_[k] * width;
      for (std::size_t j = 0; j < width; j += 8) prefetch_to_change(record + j);
    }
  }

 private:
  // There until its thread has asked for two others: an example and the next one.
  RowEntries gathered(std::size_t r) const noexcept {
    const auto entries = [](const auto& row) -> RowEntries {
      return {row.ids.data(), row.values, row.size()};
    };
    return value_size_ == sizeof(float) ? entries(data::source_row<float>(*source_, r))
                                        : entries(data::source_row<double>(*source_, r));
  }
  // Every cache line, the last one too, which a walk from the first byte in steps of a line may miss.
  static void prefetch_bytes(const char* first, std::size_t size) noexcept {
    const char* line = first - reinterpret_cast<std::uintptr_t>(first) % 64;
    for (; line < first + size; line += 64) lazylogit::prefetch(line);
  }

  static constexpr std::size_t out_of_cache = std::size_t{1} << 20;

  const data::RowSource* source_;
  const std::uint64_t* offsets_;
  const FeatureId* ids_;
  const char* values_;
  std::size_t value_size_;
  std::size_t longest_ = 0;
};

}  // namespace lazylogit::optim
