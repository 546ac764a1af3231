// The type of parameter vectors: doubles on 64-byte boundaries, on huge pages when large.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace lazylogit::math {

// Aligned to 64 bytes; blocks of 4 MiB and more are aligned to 2 MiB and advised for huge pages.
void* allocate_aligned(std::size_t bytes);
void free_aligned(void* block) noexcept;

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) noexcept {}
  T* allocate(std::size_t count) {
    if (count > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(allocate_aligned(count * sizeof(T)));
  }
  void deallocate(T* block, std::size_t) noexcept { free_aligned(block); }
  bool operator==(const AlignedAllocator&) const noexcept { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;
using Vector = AlignedVector<double>;

}  // namespace lazylogit::math
