// Where writers put their bytes: an output file, compressed when its name ends in .gz or .zst.
#pragma once

#include <memory>
#include <string_view>

#include "lazylogit/base/output_file.hpp"

namespace lazylogit::io {

class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual void write(std::string_view bytes) = 0;
  // Ends the compressed stream. commit() of the file stays with the caller.
  virtual void finish() = 0;
};

// By the name of `out`, which must outlive the sink. The same bytes in give the same bytes out (no time
// stamps).
std::unique_ptr<ByteSink> make_byte_sink(OutputFile& out);

// `name` without a final .gz or .zst.
std::string_view without_compression(std::string_view name) noexcept;

}  // namespace lazylogit::io
