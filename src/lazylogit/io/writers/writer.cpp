#include "lazylogit/io/writers/writer.hpp"

#include <fmt/format.h>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/format.hpp"
#include "lazylogit/io/text_blocks.hpp"

namespace lazylogit::io {
namespace {

constexpr WriterEntry entries[] = {
    {Format::libsvm, write_libsvm, PlainText::labels},
    {Format::vw, write_vw, PlainText::labels_and_names},
    {Format::csv, write_csv, PlainText::labels_and_names},
    {Format::tsv, write_tsv, PlainText::labels_and_names},
    {Format::jsonl, write_jsonl, PlainText::none},
    {Format::npy, write_npy, PlainText::labels},
    {Format::npz, write_npz, PlainText::labels},
    {Format::cache, write_cache_format, PlainText::none},
};

// A carriage return is fine before a line feed alone, and so not at the end of a field.
bool is_plain(std::string_view text) noexcept {
  return find_bad_byte(text) == nullptr && (text.empty() || text.back() != '\r');
}

}  // namespace

void check_plain_text(const Table& table, const WriterEntry& writer, const WriteContext& context) {
  const auto check = [&](std::string_view what, std::string_view text) {
    if (!is_plain(text))
      cannot_hold(context, find_format(writer.format).name,
                  fmt::format("the control character in the {} {}", what, quote_text(text)), "jsonl can");
  };
  if (writer.plain == PlainText::none) return;
  for (const auto& label : table.data().classes.labels()) check("label", label);
  for (const auto& id : table.data().ids) check("id", id);
  if (writer.plain == PlainText::labels) return;
  for (const auto& name : table.names()) check("feature name", name);
}

std::span<const WriterEntry> writer_catalog() { return entries; }

void cannot_hold(const WriteContext& context, std::string_view format, std::string_view what,
                 std::string_view hint) {
  throw InputError({.message = fmt::format("{} cannot hold {}", format, what),
                    .hint = std::string(hint),
                    .file = context.path,
                    .code = "cannot-hold"});
}

}  // namespace lazylogit::io
