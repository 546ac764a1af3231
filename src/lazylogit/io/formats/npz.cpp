#include "lazylogit/io/formats/npz.hpp"

#include <utility>

#include "lazylogit/io/formats/array_format.hpp"
#include "lazylogit/io/formats/npz_members.hpp"

namespace lazylogit::io {
namespace {

int sniff_npz(std::string_view prefix) { return prefix.starts_with("PK\x03\x04") ? 100 : 0; }

Loaded load_npz(std::vector<Input>& inputs, const ReadOptions& options, Log& log, const CancelToken& cancel) {
  return load_arrays(inputs, Format::npz, open_npz_input, options, log, cancel);
}

std::unique_ptr<RowSource> open_npz(std::vector<Input> inputs, const FixedNames& names,
                                    const ReadOptions& options, Log& log, const CancelToken& cancel) {
  return stream_arrays(std::move(inputs), Format::npz, open_npz_input, names, options, log, cancel);
}

constexpr std::string_view npz_extensions[] = {"npz"};

}  // namespace

FormatEntry npz_format() {
  return {.format = Format::npz,
          .name = "npz",
          .extensions = npz_extensions,
          .precision = Precision::float64,
          .sniff = sniff_npz,
          .load = load_npz,
          .open = open_npz};
}

}  // namespace lazylogit::io
