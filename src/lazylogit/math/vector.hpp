// The type of parameter vectors: doubles on 64-byte boundaries, on huge pages when large.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace lazylogit::math {

// Aligned to 64 bytes; blocks of 4 MiB and more are aligned to 2 MiB and advised for huge pages.
void* allocate_aligned(std::size_t bytes);
void free_aligned(void* block, std::size_t bytes) noexcept;

// While one is alive, some large blocks that are freed wait for the next vector of their size: memory that comes from the
// system is cleared first, which costs a fit with many coefficients more than what it computes. The last one to go gives
// all of them back.
class KeepBlocks {
 public:
  KeepBlocks();
  ~KeepBlocks();
  KeepBlocks(const KeepBlocks&) = delete;
  KeepBlocks& operator=(const KeepBlocks&) = delete;
};

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
  void deallocate(T* block, std::size_t count) noexcept { free_aligned(block, count * sizeof(T)); }
  bool operator==(const AlignedAllocator&) const noexcept { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;
using Vector = AlignedVector<double>;

}  // namespace lazylogit::math
