// An input in memory: for formats that cannot be read from front to back.
#pragma once

#include "lazylogit/base/buffer.hpp"
#include "lazylogit/io/inputs.hpp"

namespace lazylogit::io {

// All bytes after decompression. Memory grows with what arrives.
Buffer<char> read_whole(Input& input);

// Reads `size` bytes, or fewer where the source ends; memory grows with what arrives, not with `size`.
// Returns how many there were. `to` is overwritten.
std::size_t read_growing(ByteSource& source, std::uint64_t size, Buffer<char>& to);

}  // namespace lazylogit::io
