#include "lazylogit/optim/online/record_store.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
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

RecordStore::~RecordStore() {
  std::free(raw_);
  std::free(places_);
}

void RecordStore::swap(RecordStore& other) noexcept {
  std::swap(raw_, other.raw_);
  std::swap(data_, other.data_);
  std::swap(width_, other.width_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  std::swap(zeros_from_, other.zeros_from_);
  std::swap(scattered_, other.scattered_);
  std::swap(places_, other.places_);
  std::swap(used_, other.used_);
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
      std::memmove(data_, static_cast<char*>(raw_) + offset,
                   (size_ + (scattered_ ? 1 : 0)) * width_ * sizeof(double));
    zeros_from_ = capacity;  // what realloc adds may hold anything
  }
  prefer_large_heap_pages(raw_);
  capacity_ = capacity;
}

void RecordStore::grow(std::size_t size) {
  if (size <= size_) return;
  const std::size_t unused = scattered_ ? 1 : 0;  // the record of all that were never used
  const std::size_t before = size_ == 0 ? 0 : size_ + unused, now = size + unused;
  if (now > capacity_) reserve(raw_ == nullptr ? now : std::max(now, capacity_ + capacity_ / 2));
  const std::size_t to = std::min(now, zeros_from_);
  if (to > before) std::memset(data_ + before * width_, 0, (to - before) * width_ * sizeof(double));
  if (scattered_) grow_places(size);
  size_ = size;
}

void RecordStore::grow_places(std::size_t size) {
  if (size > std::numeric_limits<std::uint32_t>::max() - 1) throw std::bad_alloc();
  const std::size_t bytes = size * sizeof(std::uint32_t);
  void* const places = places_ == nullptr ? std::calloc(1, bytes) : std::realloc(places_, bytes);
  if (places == nullptr) throw std::bad_alloc();
  if (places_ != nullptr)
    std::memset(static_cast<std::uint32_t*>(places) + size_, 0, bytes - size_ * sizeof(std::uint32_t));
  places_ = static_cast<std::uint32_t*>(places);
  prefer_large_heap_pages(places);
}

std::size_t RecordStore::find_used(std::size_t from, std::span<std::uint64_t> found) const noexcept {
  std::size_t count = 0;
  if (!scattered_) {
    for (; from < size_ && count < found.size(); ++from) found[count++] = from;
    return count;
  }
  // Without a branch for each: which of the records are used follows no pattern. Where few are, most groups have none.
  constexpr std::size_t group = 8;
  while (from < size_ && count < found.size()) {
    const std::size_t end = std::min(size_, (from / group + 1) * group);
    std::uint32_t any = 0;
    for (std::size_t i = from; i < end; ++i) any |= places_[i];
    for (; any != 0 && from < end && count < found.size(); ++from) {
      found[count] = from;
      count += places_[from] != 0 ? 1 : 0;
    }
    if (any == 0) from = end;
  }
  return count;
}

}  // namespace lazylogit::optim
