#include "lazylogit/math/vector.hpp"

#include <sys/mman.h>

#include <cstdlib>

namespace lazylogit::math {

void* allocate_aligned(std::size_t bytes) {
  constexpr std::size_t large = std::size_t{4} << 20, huge_page = std::size_t{2} << 20, line = 64;
  const std::size_t alignment = bytes >= large ? huge_page : line;
  void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (block == nullptr) throw std::bad_alloc();
  if (bytes >= large) madvise(block, bytes, MADV_HUGEPAGE);  // advice only: failure changes nothing
  return block;
}

void free_aligned(void* block) noexcept { std::free(block); }

}  // namespace lazylogit::math
