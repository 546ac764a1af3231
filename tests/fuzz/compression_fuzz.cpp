// gzip and zstd: any bytes give bytes or an Error; reading in other steps gives the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/byte_source.hpp"

namespace {

std::string outcome(std::string_view bytes, std::size_t step) {
  using namespace lazylogit;
  std::string out;
  try {
    const auto source = io::make_expanding_source(io::make_memory_source(bytes), "x", 1000);
    std::string part(step, '\0');
    while (const std::size_t count = source->read(part.data(), step)) {
      out.append(part, 0, count);
      if (out.size() > (1 << 22)) return "long";
    }
  } catch (const Error& error) {
    return error.what();
  }
  return "ok" + out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::string whole = outcome(text, 1 << 16);
  const std::string pieces = outcome(text, 13);
  if (whole.substr(0, 2) == "ok" && pieces != whole) std::abort();
  if (whole.substr(0, 2) != "ok" && pieces.substr(0, 2) == "ok") std::abort();
  return 0;
}
