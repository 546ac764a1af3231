// Where the memory of large Buffers (buffer.hpp) comes from: the heap, a temporary file, or a file that is mapped.
//
// While a SpoolScope lives, the buffers that its thread makes grow within unlinked temporary files: their pages are
// the system's to write out, so data of any size can be put together in little memory. A buffer may also adopt items of
// a mapped file; what they lie in is kept for as long as a buffer has some of them.
// Blocks below `large_block` bytes are always the heap's. All functions may be called by several threads at once.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lazylogit {

inline constexpr std::size_t large_block = std::size_t{1} << 20;

// As std::realloc, where the old or the new size is large. Throws std::bad_alloc, or IoError where a temporary file has no room.
void* resize_large_block(void* block, std::size_t old_bytes, std::size_t bytes);
void free_large_block(void* block) noexcept;
// From now on `block` may be given to the two functions above; `owner` is let go of by them.
void adopt_large_block(const void* block, std::shared_ptr<const void> owner);
// Whether a block lies in a file, whose pages need no memory of their own.
bool is_file_backed(const void* block) noexcept;

class SpoolScope {
 public:
  explicit SpoolScope(std::string directory);
  ~SpoolScope();
  SpoolScope(const SpoolScope&) = delete;
  SpoolScope& operator=(const SpoolScope&) = delete;

 private:
  std::string directory_;
  const std::string* before_;
};

// $TMPDIR, or /tmp.
std::string temporary_directory();
// Of the file of this name: "." where it has no slash.
std::string directory_of(const std::string& path);
// A temporary file without a name: gone with its descriptor, whatever happens. IoError.
int open_unlinked(const std::string& directory);

// A regular file in memory, privately: changes stay in memory. IoError. Who writes to it or cuts it off meanwhile: lease_guard.hpp.
struct MappedBytes {
  std::shared_ptr<const void> owner;
  const char* data = nullptr;
  std::size_t size = 0;
};
MappedBytes map_file(int descriptor, std::size_t size, const std::string& name);

}  // namespace lazylogit
