// Documents: any bytes give rows or an Error, the same whatever the block size, and applying gives them back.
#include "fuzz/table_outcome.hpp"
#include "lazylogit/io/formats/text.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using lazylogit::io::Format;
  lazylogit::fuzz::fuzz_table({reinterpret_cast<const char*>(bytes), size}, Format::text,
                              [](std::vector<lazylogit::io::Input>& inputs,
                                 const lazylogit::io::ReadOptions& options, std::size_t block) {
                                return lazylogit::io::load_documents(inputs, options, lazylogit::silent_log(),
                                                                     {}, block);
                              });
  return 0;
}
