// A cache as it is, and one whose header and block are the bytes but whose checksums fit, so that mutations get past them.
#include <cstring>
#include <string>

#include "fuzz/load_any.hpp"
#include "lazylogit/io/cache/byte_codec.hpp"
#include "lazylogit/io/cache/layout.hpp"

namespace {

// byte 0: 0x01 for this form; bytes 1-2: size of the header; 3-4: rows; 5-6: entries; then header and block.
std::string with_checksums(std::string_view bytes) {
  using namespace lazylogit::io;
  std::uint16_t size = 0, rows = 0, entries = 0;
  std::memcpy(&size, bytes.data() + 1, 2);
  std::memcpy(&rows, bytes.data() + 3, 2);
  std::memcpy(&entries, bytes.data() + 5, 2);
  bytes.remove_prefix(7);
  const std::string_view header = bytes.substr(0, size), block = bytes.substr(header.size());
  Encoder file;
  file.raw(cache_magic.data(), cache_magic.size());
  file.number(cache_major);
  file.number(cache_minor);
  file.number(static_cast<std::uint64_t>(header.size()));
  std::uint64_t checksum = cache_checksum(file.bytes(), header, 0);
  file.number(checksum);
  file.raw(header.data(), header.size());
  PartHead part;
  part.mark = block_mark;
  part.rows = rows;
  part.entries = entries;
  part.size = block.size();
  const std::string_view part_bytes(reinterpret_cast<const char*>(&part), sizeof part);
  checksum = cache_checksum(part_bytes, block, checksum);
  file.raw(&part, sizeof part);
  file.number(checksum);
  file.raw(block.data(), block.size());
  EndHead end;
  end.rows = rows;
  end.entries = entries;
  checksum = cache_checksum({reinterpret_cast<const char*>(&end), sizeof end}, {}, checksum);
  file.raw(&end, sizeof end);
  file.number(checksum);
  return file.bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  lazylogit::io::ReadOptions options;
  options.labels_required = false;
  if (size >= 7 && data[0] == 1)
    lazylogit::fuzz::load_any(lazylogit::io::Format::cache, with_checksums(bytes), options);
  else
    lazylogit::fuzz::load_any(lazylogit::io::Format::cache, bytes, options);
  return 0;
}
