// A cache as it is, and one whose header and arrays are the bytes but whose checksums fit, so that mutations get past them.
#include <cstring>
#include <string>

#include "fuzz/load_any.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/io/cache/byte_codec.hpp"
#include "lazylogit/io/cache/layout.hpp"

namespace {

using namespace lazylogit::io;

// How many bytes of arrays the header speaks of; `size` where it makes no sense or they are many.
std::size_t array_bytes(std::string_view header, std::size_t size) {
  constexpr std::size_t most = 1 << 20;
  CachePlaces places;
  try {
    if (!find_places(decode_header(header, ""), header.size(), places)) return size;
  } catch (const lazylogit::Error&) {
    return size;
  }
  return places.end - places.begin < most ? static_cast<std::size_t>(places.end - places.begin) : size;
}

// byte 0: 0x01 for this form; bytes 1-2: size of the header; then header and arrays, which zeros are added to.
std::string with_checksums(std::string_view bytes) {
  std::uint16_t size = 0;
  std::memcpy(&size, bytes.data() + 1, 2);
  bytes.remove_prefix(3);
  const std::string_view header = bytes.substr(0, size);
  std::string arrays(bytes.substr(header.size()));
  arrays.resize(array_bytes(header, arrays.size()));
  Encoder file;
  file.raw(cache_magic.data(), cache_magic.size());
  file.number(cache_major);
  file.number(cache_minor);
  file.number(static_cast<std::uint64_t>(header.size()));
  std::uint64_t checksum = cache_checksum(file.bytes(), header, 0);
  file.number(checksum);
  file.raw(header.data(), header.size());
  file.raw(arrays.data(), arrays.size());
  checksum = cache_checksum({}, arrays, checksum);
  file.number(checksum);
  CacheEnd end;
  end.pieces = 1;
  const std::string_view table(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  const std::string_view last(reinterpret_cast<const char*>(&end), sizeof end);
  file.raw(&end, sizeof end);
  file.number(cache_checksum(table, last, checksum));
  return file.bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ReadOptions options;
  options.labels_required = false;
  if (size >= 3 && data[0] == 1)
    lazylogit::fuzz::load_any(Format::cache, with_checksums(bytes), options);
  else
    lazylogit::fuzz::load_any(Format::cache, bytes, options);
  return 0;
}
