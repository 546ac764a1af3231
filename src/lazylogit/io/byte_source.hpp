// A stream of bytes after decompression: what every reader reads from.
//
// gzip and zstd are recognised by content, whatever the name says; concatenated members are one stream. A
// cut-off or damaged member, or anything after the last one that is not a member, is an InputError
// `FILE: byte OFFSET` (offset within the compressed file). More than 64 MiB + limit × compressed bytes of
// output is an IoError naming --max-expansion. Files are read, never mapped: a file that changes underneath
// gives other bytes or an error, never a signal.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lazylogit/base/buffer.hpp"

namespace lazylogit::io {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `size` bytes to `to`; 0 only at the end (or for size 0). Blocks on pipes.
  virtual std::size_t read(char* to, std::size_t size) = 0;
  // False when the next bytes did not come within a moment: a pipe whose writer is slow.
  virtual bool ready() const { return true; }
  // Bytes of the file consumed so far, before decompression: what progress counts.
  virtual std::uint64_t consumed() const noexcept = 0;
};

// Bytes of an open descriptor, from its current place (pipes) or from the start by pread (regular files, so
// that several sources can share one descriptor). `keep_alive` owns the descriptor.
std::unique_ptr<ByteSource> make_descriptor_source(int descriptor, bool seekable, std::string name,
                                                   std::shared_ptr<void> keep_alive);

// Bytes in memory; the caller keeps them alive.
std::unique_ptr<ByteSource> make_memory_source(std::string_view bytes);

// `prefix`, then what `rest` still holds: puts back bytes that were looked at.
std::unique_ptr<ByteSource> make_prefixed_source(Buffer<char> prefix, std::unique_ptr<ByteSource> rest);

// `raw` decompressed if its first bytes say so, else `raw` itself. `name` is for errors.
std::unique_ptr<ByteSource> make_expanding_source(std::unique_ptr<ByteSource> raw, std::string name,
                                                  std::uint64_t max_expansion);

// Reads until `size` bytes are there or the source ends; returns how many.
std::size_t read_fully(ByteSource& source, char* to, std::size_t size);

}  // namespace lazylogit::io
