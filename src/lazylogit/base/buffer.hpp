// A growing array of trivially copyable items that neither copies on growth nor touches memory it does not
// use.
//
// Large blocks grow by std::realloc, which moves pages instead of bytes on Linux: loading a file never needs
// twice its size, as std::vector would. New items are not initialised. Throws std::bad_alloc.
// A buffer may also borrow memory of the caller's: it is read where it lies, never freed, and copied by the first change
// of size that needs room. Large ones may lie in files (large_blocks.hpp).
#pragma once

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "lazylogit/base/large_blocks.hpp"

namespace lazylogit {

// Asks the system for large pages under a large block: fewer page faults while it fills, fewer table walks
// afterwards. Does nothing for small blocks or where there are no such pages.
void prefer_large_pages(void* block, std::size_t bytes) noexcept;
// The same for a block of malloc's, which can still be moved by std::realloc without a copy.
void prefer_large_heap_pages(void* block) noexcept;

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size, T fill = T{}) {
    resize(size);
    for (auto& item : *this) item = fill;
  }
  Buffer(const Buffer& other) { append(other.span()); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer() {
    if (is_borrowed()) return;
    if (capacity_ * sizeof(T) >= large_block)
      free_large_block(data_);
    else
      std::free(data_);
  }

  // Items that someone else owns and keeps while the buffer lives. They must not be written to through it.
  static Buffer borrow(const T* items, std::size_t size) noexcept {
    Buffer buffer;
    if (size == 0) return buffer;
    buffer.data_ = const_cast<T*>(items);
    buffer.size_ = size;
    return buffer;
  }
  // Items within what `owner` keeps, which may be written to; few are copied. No items belong to two buffers.
  static Buffer adopt(const T* items, std::size_t size, std::shared_ptr<const void> owner) {
    Buffer buffer;
    if (size * sizeof(T) < large_block) {
      buffer.append({items, size});
      return buffer;
    }
    adopt_large_block(items, std::move(owner));
    buffer.data_ = const_cast<T*>(items);
    buffer.size_ = buffer.capacity_ = size;
    return buffer;
  }
  bool is_borrowed() const noexcept { return data_ != nullptr && capacity_ == 0; }

  void swap(Buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T& back() noexcept { return data_[size_ - 1]; }
  const T& back() const noexcept { return data_[size_ - 1]; }
  std::span<T> span() noexcept { return {data_, size_}; }
  std::span<const T> span() const noexcept { return {data_, size_}; }

  void clear() noexcept { size_ = 0; }
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) reallocate(capacity);
  }
  void resize(std::size_t size) {  // new items are uninitialised
    if (size > capacity_) reallocate(size > 2 * capacity_ ? size : 2 * capacity_);
    size_ = size;
  }
  void push_back(T value) {
    if (size_ >= capacity_) reallocate(size_ < 8 ? 16 : 2 * size_);
    data_[size_++] = value;
  }
  void append(std::span<const T> items) {
    const std::size_t old = size_;
    resize(old + items.size());
    if (!items.empty()) std::memcpy(data_ + old, items.data(), items.size_bytes());
  }
  void shrink_to_fit() {
    if (size_ < capacity_ && size_ > 0) reallocate(size_);
  }

 private:
  void reallocate(std::size_t capacity) {
    if (capacity > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    void* const old = is_borrowed() ? nullptr : static_cast<void*>(data_);
    const std::size_t old_bytes = capacity_ * sizeof(T), bytes = capacity * sizeof(T);
    void* const moved = old_bytes >= large_block || bytes >= large_block
                            ? resize_large_block(old, old_bytes, bytes)
                            : std::realloc(old, bytes);
    if (moved == nullptr) throw std::bad_alloc();
    if (is_borrowed()) std::memcpy(moved, data_, (size_ < capacity ? size_ : capacity) * sizeof(T));
    data_ = static_cast<T*>(moved);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace lazylogit
