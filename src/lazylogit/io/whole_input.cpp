#include "lazylogit/io/whole_input.hpp"

#include <algorithm>

namespace lazylogit::io {

std::size_t read_growing(ByteSource& source, std::uint64_t size, Buffer<char>& to) {
  constexpr std::size_t first_piece = std::size_t{1} << 20;
  to.clear();
  while (to.size() < size) {
    const std::size_t old = to.size();
    const std::size_t piece =
        static_cast<std::size_t>(std::min<std::uint64_t>(size - old, std::max(first_piece, old)));
    to.resize(old + piece);
    const std::size_t count = read_fully(source, to.data() + old, piece);
    to.resize(old + count);
    if (count < piece) break;
  }
  return to.size();
}

Buffer<char> read_whole(Input& input) {
  Buffer<char> bytes;
  const std::unique_ptr<ByteSource> source = input.open();
  read_growing(*source, UINT64_MAX, bytes);
  return bytes;
}

}  // namespace lazylogit::io
