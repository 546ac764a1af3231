#include "lazylogit/io/formats/npy.hpp"

#include <utility>

#include "lazylogit/io/formats/array_format.hpp"
#include "lazylogit/io/formats/dense_rows.hpp"

namespace lazylogit::io {
namespace {

void refuse_roles(const ReadOptions& options) {
  const auto refuse = [](const std::string& value, const char* option) {
    if (!value.empty())
      throw ConfigError("a .npy file holds features only, no column " + quote_text(value), option,
                        "an .npz archive can hold it as a member");
  };
  refuse(options.weight, "weight");
  refuse(options.offset, "offset");
  refuse(options.id, "id");
}

ArrayInput open_npy_input(Input& input, const ReadOptions& options) {
  refuse_roles(options);
  ArrayInput opened;
  opened.rows = std::make_unique<DenseRows>(input.open(), ArrayPlace{.file = input.name()});
  return opened;
}

int sniff_npy(std::string_view prefix) { return prefix.starts_with(npy_magic) ? 100 : 0; }

Loaded load_npy(std::vector<Input>& inputs, const ReadOptions& options, Log& log, const CancelToken& cancel) {
  refuse_roles(options);
  return load_arrays(inputs, Format::npy, open_npy_input, options, log, cancel);
}

std::unique_ptr<RowSource> open_npy(std::vector<Input> inputs, const FixedNames& names,
                                    const ReadOptions& options, Log& log, const CancelToken& cancel) {
  refuse_roles(options);
  return stream_arrays(std::move(inputs), Format::npy, open_npy_input, names, options, log, cancel);
}

constexpr std::string_view npy_extensions[] = {"npy"};

}  // namespace

FormatEntry npy_format() {
  return {.format = Format::npy,
          .name = "npy",
          .extensions = npy_extensions,
          .precision = Precision::float64,
          .sniff = sniff_npy,
          .load = load_npy,
          .open = open_npy};
}

}  // namespace lazylogit::io
