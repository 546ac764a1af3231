#include "lazylogit/base/large_blocks.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/base/lease_guard.hpp"

namespace lazylogit {
namespace {

thread_local const std::string* spool_directory = nullptr;

struct Block {
  int descriptor = -1;  // of a temporary file, with its mapped size; -1: adopted
  std::size_t bytes = 0;
  std::shared_ptr<const void> owner = nullptr;
};

// Blocks that are not the heap's. Never destroyed: buffers may outlive it otherwise.
struct Registry {
  std::mutex mutex;
  std::unordered_map<const void*, Block> blocks;
};
Registry& registry() {
  static auto* const one = new Registry;
  return *one;
}

// A Block without descriptor and owner when it is the heap's.
Block find(const void* block) noexcept {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.blocks.find(block);
  return found == all.blocks.end() ? Block{} : found->second;
}

// The same, taken out of the registry.
Block take(const void* block) noexcept {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto found = all.blocks.find(block);
  if (found == all.blocks.end()) return {};
  Block result = std::move(found->second);
  all.blocks.erase(found);
  return result;
}

void put(const void* block, Block entry) {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  all.blocks[block] = std::move(entry);
}

std::string reason(int code) { return std::generic_category().message(code); }

// Room is reserved: a page that cannot be written later would end the process.
void set_size(int descriptor, std::size_t bytes) {
  const auto length = static_cast<off_t>(bytes);
  if (::ftruncate(descriptor, length) != 0)
    throw IoError("", "cannot grow a temporary file: " + reason(errno));
  const int code = ::posix_fallocate(descriptor, 0, length);
  if (code != 0 && code != EOPNOTSUPP && code != EINVAL)
    throw IoError("", "cannot keep data in a temporary file: " + reason(code),
                  "make room beside the output, or set TMPDIR to a directory with room");
}

void unmap(void* block, const Block& entry) noexcept {
  ::munmap(block, entry.bytes);
  ::close(entry.descriptor);
}

void* new_spool(std::size_t bytes) {
  const int descriptor = open_unlinked(*spool_directory);
  try {
    set_size(descriptor, bytes);
    void* const block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    try {
      put(block, {descriptor, bytes});
    } catch (...) {
      ::munmap(block, bytes);
      throw;
    }
    return block;
  } catch (...) {
    ::close(descriptor);
    throw;
  }
}

// On failure the block stays as it was. The entry of the registry moves along without new memory: where that is missing, a
// block must not be forgotten. Nobody else may register the old place, which is free again, before that.
void* resize_spool(void* block, const Block& entry, std::size_t bytes) {
  if (bytes > entry.bytes) set_size(entry.descriptor, bytes);
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  void* moved = ::mremap(block, entry.bytes, bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) {  // advice for a part of the block (prefer_large_pages) makes two mappings of it
    moved = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, entry.descriptor, 0);
    if (moved == MAP_FAILED) throw std::bad_alloc();
    ::munmap(block, entry.bytes);
  }
  auto node = all.blocks.extract(block);
  node.key() = moved;
  node.mapped().bytes = bytes;
  all.blocks.insert(std::move(node));
  return moved;
}

}  // namespace

void* resize_large_block(void* block, std::size_t old_bytes, std::size_t bytes) {
  const Block entry = old_bytes >= large_block ? find(block) : Block{};
  const bool spool = bytes >= large_block && spool_directory != nullptr;
  if (entry.descriptor >= 0 && bytes >= large_block) {
    void* const moved = resize_spool(block, entry, bytes);
    prefer_large_pages(moved, bytes);
    return moved;
  }
  const bool of_heap = entry.descriptor < 0 && entry.owner == nullptr;
  if (of_heap && !spool) {
    void* const moved = std::realloc(block, bytes);
    if (moved == nullptr) throw std::bad_alloc();
    prefer_large_heap_pages(moved);
    return moved;
  }
  void* const moved = spool ? new_spool(bytes) : std::malloc(bytes);
  if (moved == nullptr) throw std::bad_alloc();
  if (spool)
    prefer_large_pages(moved, bytes);
  else
    prefer_large_heap_pages(moved);
  if (block != nullptr) std::memcpy(moved, block, std::min(old_bytes, bytes));
  free_large_block(block);
  return moved;
}

void free_large_block(void* block) noexcept {
  const Block entry = take(block);
  if (entry.descriptor >= 0)
    unmap(block, entry);
  else if (entry.owner == nullptr)
    std::free(block);
}

void adopt_large_block(const void* block, std::shared_ptr<const void> owner) {
  put(block, {-1, 0, std::move(owner)});
}

bool is_file_backed(const void* block) noexcept {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  return all.blocks.count(block) > 0;
}

SpoolScope::SpoolScope(std::string directory)
    : directory_(std::move(directory)), before_(std::exchange(spool_directory, &directory_)) {}
SpoolScope::~SpoolScope() { spool_directory = before_; }

std::string temporary_directory() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && *named != '\0' ? named : "/tmp";
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

int open_unlinked(const std::string& directory) {
  std::string path = directory + "/lazylogit-XXXXXX";
  const int descriptor = ::mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) throw IoError(path, "cannot create a temporary file: " + reason(errno));
  ::unlink(path.c_str());
  return descriptor;
}

MappedBytes map_file(int descriptor, std::size_t size, const std::string& name) {
  if (size == 0) return {};
  void* const data =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
  if (data == MAP_FAILED) throw IoError(name, "cannot map: " + reason(errno));
  std::shared_ptr<LeaseGuard> guard;
  try {
    guard = std::make_shared<LeaseGuard>(descriptor, data, size);
  } catch (...) {
    ::munmap(data, size);
    throw;
  }
  const auto unmap_both = [size, guard](const void* p) mutable {
    guard.reset();  // its thread may be moving the bytes
    ::munmap(const_cast<void*>(p), size);
  };
  return {std::shared_ptr<const void>(data, unmap_both), static_cast<const char*>(data), size};
}

}  // namespace lazylogit
