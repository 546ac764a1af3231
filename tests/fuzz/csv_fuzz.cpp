// Delimited text: any bytes give rows or an Error, whatever the block size, and what was learned can be applied.
#include "fuzz/table_outcome.hpp"
#include "lazylogit/io/formats/delimited.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using lazylogit::io::Format;
  lazylogit::fuzz::fuzz_table({reinterpret_cast<const char*>(bytes), size}, Format::csv,
                              [](std::vector<lazylogit::io::Input>& inputs,
                                 const lazylogit::io::ReadOptions& options, std::size_t block) {
                                return lazylogit::io::load_delimited(inputs, Format::csv, options,
                                                                     lazylogit::silent_log(), {}, block);
                              });
  return 0;
}
