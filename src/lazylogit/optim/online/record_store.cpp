#include "lazylogit/optim/online/record_store.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "lazylogit/base/buffer.hpp"

namespace lazylogit::optim {
namespace {

constexpr std::size_t line = 64;

double* aligned(void* raw) noexcept {
  return reinterpret_cast<double*>((reinterpret_cast<std::uintptr_t>(raw) + line - 1) / line * line);
}

}  // namespace

RecordStore::~RecordStore() { std::free(raw_); }

void RecordStore::swap(RecordStore& other) noexcept {
  std::swap(raw_, other.raw_);
  std::swap(data_, other.data_);
  std::swap(width_, other.width_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(zeros_from_, other.zeros_from_);
}

void RecordStore::reserve(std::size_t capacity) {
  if (capacity > (static_cast<std::size_t>(-1) / 2 - line) / sizeof(double) / width_) throw std::bad_alloc();
  const std::size_t bytes = capacity * width_ * sizeof(double) + line;
  if (raw_ == nullptr) {
    raw_ = std::calloc(1, bytes);
    if (raw_ == nullptr) throw std::bad_alloc();
    data_ = aligned(raw_);
  } else {
    const auto offset = reinterpret_cast<char*>(data_) - static_cast<char*>(raw_);
    void* const moved = std::realloc(raw_, bytes);
    if (moved == nullptr) throw std::bad_alloc();
    raw_ = moved;
    data_ = aligned(raw_);
    if (reinterpret_cast<char*>(data_) - static_cast<char*>(raw_) != offset)
      std::memmove(data_, static_cast<char*>(raw_) + offset, size_ * width_ * sizeof(double));
    zeros_from_ = capacity;  // what realloc adds may hold anything
  }
  prefer_large_pages(raw_, bytes);
  capacity_ = capacity;
}

void RecordStore::grow(std::size_t size) {
  if (size <= size_) return;
  if (size > capacity_) reserve(raw_ == nullptr ? size : std::max(size, capacity_ + capacity_ / 2));
  const std::size_t to = std::min(size, zeros_from_);
  if (to > size_) std::memset(at(size_), 0, (to - size_) * width_ * sizeof(double));
  size_ = size;
}

}  // namespace lazylogit::optim
