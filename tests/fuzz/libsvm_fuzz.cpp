// libsvm text: any bytes give rows or an Error, and the same ones whatever the block size.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "lazylogit/base/parallel.hpp"
#include "support/libsvm_text.hpp"

namespace {

std::string outcome(std::string_view text, std::size_t block_bytes,
                    const lazylogit::io::ReadOptions& options) {
  try {
    return lazylogit::test::describe(lazylogit::test::load_in_blocks(text, block_bytes, options));
  } catch (const lazylogit::Error& error) {
    if (std::string_view(error.what()).size() > 500) std::abort();
    return error.what();
  }
}

// Where the damage of compressed data is met before or after a bad row of its beginning depends on the block.
bool may_be_compressed(std::string_view text) {
  return text.substr(0, 2) == "\x1f\x8b" || text.substr(0, 4) == "\x28\xb5\x2f\xfd" ||
         text.substr(1, 3) == "\x2a\x4d\x18";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const lazylogit::ThreadLimit one_thread(
      1);  // starting threads for a few bytes would be most of the time
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  lazylogit::io::ReadOptions options;
  options.limits.max_line_bytes = 1 << 16;
  const bool any_block = size < 4096 && size > 0 && !may_be_compressed(text);
  const std::string whole = outcome(text, 1 << 16, options);
  if (any_block && outcome(text, 5, options) != whole) std::abort();
  options.skip_bad_rows = true;
  const std::string skipped = outcome(text, 1 << 16, options);
  if (any_block && outcome(text, 3, options) != skipped) std::abort();
  options.hash_bits = 4;
  options.labels_required = false;
  outcome(text, 64, options);
  return 0;
}
