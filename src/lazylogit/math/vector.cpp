#include "lazylogit/math/vector.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <mutex>
#include <utility>

namespace lazylogit::math {
namespace {

constexpr std::size_t large = std::size_t{4} << 20, huge_page = std::size_t{2} << 20, line = 64;
constexpr std::size_t most_kept_bytes = std::size_t{256} << 20;

std::size_t rounded(std::size_t bytes) {
  const std::size_t alignment = bytes >= large ? huge_page : line;
  return (bytes + alignment - 1) / alignment * alignment;
}

// Large blocks that were freed while some KeepBlocks is alive.
class KeptBlocks {
 public:
  void* take(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    for (auto& [block, size] : blocks_)
      if (block != nullptr && size == bytes) {
        bytes_ -= bytes;
        return std::exchange(block, nullptr);
      }
    return nullptr;
  }
  // False: there is no room, or nobody asked for it.
  bool keep(void* freed, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    if (keepers_ == 0 || bytes_ + bytes > most_kept_bytes) return false;
    for (auto& [block, size] : blocks_)
      if (block == nullptr) {
        block = freed;
        size = bytes;
        bytes_ += bytes;
        return true;
      }
    return false;
  }
  void begin() noexcept {
    const std::lock_guard lock(mutex_);
    ++keepers_;
  }
  void end() noexcept {
    const std::lock_guard lock(mutex_);
    if (--keepers_ == 0) release_locked();
  }
  void release() noexcept {
    const std::lock_guard lock(mutex_);
    release_locked();
  }

 private:
  void release_locked() noexcept {
    for (auto& kept : blocks_) std::free(std::exchange(kept.first, nullptr));
    bytes_ = 0;
  }

  std::mutex mutex_;
  std::pair<void*, std::size_t> blocks_[16] = {};
  std::size_t bytes_ = 0;
  int keepers_ = 0;
};

KeptBlocks& kept_blocks() {
  static KeptBlocks blocks;
  return blocks;
}

}  // namespace

void* allocate_aligned(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  if (bytes < large) {
    void* block = std::aligned_alloc(line, size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  if (void* block = kept_blocks().take(size)) return block;
  void* block = std::aligned_alloc(huge_page, size);
  if (block == nullptr) {
    kept_blocks().release();
    block = std::aligned_alloc(huge_page, size);
  }
  if (block == nullptr) throw std::bad_alloc();
  madvise(block, bytes, MADV_HUGEPAGE);  // advice only: failure changes nothing
  return block;
}

void free_aligned(void* block, std::size_t bytes) noexcept {
  if (bytes >= large && kept_blocks().keep(block, rounded(bytes))) return;
  std::free(block);
}

KeepBlocks::KeepBlocks() { kept_blocks().begin(); }
KeepBlocks::~KeepBlocks() { kept_blocks().end(); }

}  // namespace lazylogit::math
