// The records of an online learner: `width` doubles for each feature, growing at the end, all 0 at first.
//
// Large stores grow by moving pages, not bytes, and begin at a cache line. A store that is made at its full size does not
// touch memory before it is used.
#pragma once

#include <cstddef>

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

 private:
  void swap(RecordStore& other) noexcept;
  void reserve(std::size_t capacity);

  void* raw_ = nullptr;     // as allocated
  double* data_ = nullptr;  // raw_, rounded up to a cache line
  std::size_t width_ = 1, size_ = 0, capacity_ = 0;
  std::size_t zeros_from_ = 0;  // records from here on are known to be 0
};

}  // namespace lazylogit::optim
