#include "lazylogit/base/buffer.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace lazylogit {

void prefer_large_pages(void* block, std::size_t bytes) noexcept {
  constexpr std::size_t large_page = std::size_t{2} << 20;
  if (bytes < 8 * large_page) return;
  // All pages that the block has a part in, the first and the last one included: advice for fewer makes several mappings of
  // what was one, and the system moves only one at a time. Growth would copy instead.
  static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::uintptr_t before = address % page, length = (before + bytes + page - 1) / page * page;
  ::madvise(static_cast<char*>(block) - before, length, MADV_HUGEPAGE);
}

void prefer_large_heap_pages(void* block) noexcept { prefer_large_pages(block, ::malloc_usable_size(block)); }

}  // namespace lazylogit
