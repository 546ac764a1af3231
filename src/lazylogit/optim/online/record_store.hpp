// The records of an online learner: `width` doubles for each feature, growing at the end, all 0 at first.
//
// Large stores grow by moving pages, not bytes, and begin at a cache line. Memory that was never used is not touched.
//
// A scattered store is for features of which many may never occur, the slots of hashed names: its records lie one after another in the
// order of their first use, so that the frequent ones share few pages and lines of the cache. What at() gave stays where it is until the
// store grows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lazylogit/base/prefetch.hpp"
#include "lazylogit/base/types.hpp"

namespace lazylogit::optim {

class RecordStore {
 public:
  explicit RecordStore(std::size_t width, bool scattered = false) noexcept
      : width_(width), scattered_(scattered) {}
  ~RecordStore();
  RecordStore(RecordStore&& other) noexcept { swap(other); }
  RecordStore& operator=(RecordStore&& other) noexcept {
    swap(other);
    return *this;
  }

  std::size_t width() const noexcept { return width_; }
  bool scattered() const noexcept { return scattered_; }
  std::size_t size() const noexcept { return size_; }  // records
  void grow(std::size_t size);                         // never smaller
  double* at(std::size_t record) noexcept {
    if (!scattered_) return data_ + record * width_;
    std::uint32_t& place = places_[record];
    if (place == 0) [[unlikely]]
      place = ++used_;
    return data_ + place * width_;
  }
  // A record that was never used is one of zeros.
  const double* at(std::size_t record) const noexcept {
    return data_ + (scattered_ ? places_[record] : record) * width_;
  }
  // Records from `from` on that may have been used, ascending, as many as there is room for in `found`; how many.
  std::size_t find_used(std::size_t from, std::span<std::uint64_t> found) const noexcept;

  // Asks memory for what find() will want to know of records that come later.
  void expect(std::span<const FeatureId> records) const noexcept {
    if (!scattered_) return;
    for (const FeatureId record : records) prefetch(places_ + record);
  }
  // Where these records lie, into `found`, which has room for them; asks memory for those that do not fit a core's own cache.
  void find(std::span<const FeatureId> records, double** found) noexcept {
    constexpr std::size_t out_of_cache = std::size_t{1} << 17, line = 8, most_lines = 4;  // in doubles
    if (size_ * width_ < out_of_cache) {
      for (const FeatureId record : records) *found++ = at(record);
      return;
    }
    for (const FeatureId record : records) {
      double* const r = *found++ = at(record);
      for (std::size_t k = 0; k < std::min(width_, most_lines * line); k += line) prefetch(r + k);
    }
  }

 private:
  void swap(RecordStore& other) noexcept;
  void reserve(std::size_t capacity);
  void grow_places(std::size_t size);

  void* raw_ = nullptr;     // as allocated
  double* data_ = nullptr;  // raw_, rounded up to a cache line
  std::size_t width_ = 1, size_ = 0, capacity_ = 0;
  std::size_t zeros_from_ = 0;  // records in memory from here on are known to be 0
  bool scattered_ = false;
  std::uint32_t* places_ =
      nullptr;  // scattered: where each record lies; 0, which is never written to: not used yet
  std::uint32_t used_ = 0;
};

}  // namespace lazylogit::optim
