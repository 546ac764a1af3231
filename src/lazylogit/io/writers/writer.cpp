#include "lazylogit/io/writers/writer.hpp"

#include <fmt/format.h>

#include "lazylogit/base/error.hpp"

namespace lazylogit::io {
namespace {

constexpr WriterEntry entries[] = {
    {Format::libsvm, write_libsvm}, {Format::vw, write_vw},
    {Format::csv, write_csv},       {Format::tsv, write_tsv},
    {Format::jsonl, write_jsonl},   {Format::npy, write_npy},
    {Format::npz, write_npz},       {Format::cache, write_cache_format},
};

}  // namespace

std::span<const WriterEntry> writer_catalog() { return entries; }

void cannot_hold(const WriteContext& context, std::string_view format, std::string_view what,
                 std::string_view hint) {
  throw InputError({.message = fmt::format("{} cannot hold {}", format, what),
                    .hint = std::string(hint),
                    .file = context.path,
                    .code = "cannot-hold"});
}

}  // namespace lazylogit::io
