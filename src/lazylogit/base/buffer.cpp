#include "lazylogit/base/buffer.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace lazylogit {

void prefer_large_pages(void* block, std::size_t bytes) noexcept {
  constexpr std::size_t large_page = std::size_t{2} << 20;
  if (bytes < 8 * large_page) return;
  const auto begin = (reinterpret_cast<std::uintptr_t>(block) + large_page - 1) / large_page * large_page;
  const auto end = (reinterpret_cast<std::uintptr_t>(block) + bytes) / large_page * large_page;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace lazylogit
