// A .npy file as it is; labels are not asked for.
#include "fuzz/load_any.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lazylogit::io::ReadOptions options;
  options.labels_required = false;
  lazylogit::fuzz::load_any(lazylogit::io::Format::npy, {reinterpret_cast<const char*>(data), size}, options);
  return 0;
}
