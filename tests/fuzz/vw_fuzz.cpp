// VW text: the first byte chooses options, the rest is the file.
#include "fuzz/load_any.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  lazylogit::io::ReadOptions options;
  options.labels_required = (data[0] & 1) != 0;
  options.skip_bad_rows = (data[0] & 2) != 0;
  if ((data[0] & 4) != 0) options.id = "tag";
  if ((data[0] & 8) != 0) options.precision = lazylogit::io::Precision::float64;
  lazylogit::fuzz::load_any(lazylogit::io::Format::vw, {reinterpret_cast<const char*>(data) + 1, size - 1},
                            options);
  return 0;
}
