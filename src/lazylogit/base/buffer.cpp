#include "lazylogit/base/buffer.hpp"

#include <sys/mman.h>

#include <cstdint>

namespace lazylogit {

void prefer_large_pages(void* block, std::size_t bytes) noexcept {
  constexpr std::size_t large_page = std::size_t{2} << 20;
  if (bytes < 8 * large_page) return;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::size_t skip = (large_page - address % large_page) % large_page;
  const std::size_t length = (bytes - skip) / large_page * large_page;
  ::madvise(static_cast<char*>(block) + skip, length, MADV_HUGEPAGE);
}

}  // namespace lazylogit
