// The records of an online learner: `width` doubles for each feature, growing at the end, all 0 at first.
//
// Large stores grow by moving pages, not bytes, and begin at a cache line. A store that is made at its full size does not
// touch memory before it is used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "lazylogit/base/types.hpp"

namespace lazylogit::optim {

class RecordStore {
 public:
  explicit RecordStore(std::size_t width) noexcept : width_(width) {}
  ~RecordStore();
  RecordStore(RecordStore&& other) noexcept { swap(other); }
  RecordStore& operator=(RecordStore&& other) noexcept {
    swap(other);
    return *this;
  }

  std::size_t width() const noexcept { return width_; }
  std::size_t size() const noexcept { return size_; }  // records
  void grow(std::size_t size);                         // never smaller
  double* at(std::size_t record) noexcept { return data_ + record * width_; }
  const double* at(std::size_t record) const noexcept { return data_ + record * width_; }
  // Asks memory for records that will be wanted soon, where they do not fit a core's own cache.
  void prefetch(std::span<const FeatureId> records) const noexcept {
    constexpr std::size_t out_of_cache = std::size_t{1} << 17, line = 8, most_lines = 4;  // in doubles
    if (size_ * width_ < out_of_cache) return;
    for (const FeatureId record : records)
      for (std::size_t k = 0; k < std::min(width_, most_lines * line); k += line)
        __builtin_prefetch(at(record) + k, 1);
  }

 private:
  void swap(RecordStore& other) noexcept;
  void reserve(std::size_t capacity);

  void* raw_ = nullptr;     // as allocated
  double* data_ = nullptr;  // raw_, rounded up to a cache line
  std::size_t width_ = 1, size_ = 0, capacity_ = 0;
  std::size_t zeros_from_ = 0;  // records from here on are known to be 0
};

}  // namespace lazylogit::optim
