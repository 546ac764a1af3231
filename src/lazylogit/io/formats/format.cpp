#include "lazylogit/io/formats/format.hpp"

#include <algorithm>
#include <string>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/formats/cache.hpp"
#include "lazylogit/io/formats/delimited.hpp"
#include "lazylogit/io/formats/delimited_dialect.hpp"
#include "lazylogit/io/formats/jsonl.hpp"
#include "lazylogit/io/formats/libsvm.hpp"
#include "lazylogit/io/formats/npy.hpp"
#include "lazylogit/io/formats/npz.hpp"
#include "lazylogit/io/formats/other_format.hpp"
#include "lazylogit/io/formats/text.hpp"
#include "lazylogit/io/formats/vw.hpp"

namespace lazylogit::io {
namespace {

// The file extension in lower case, after .gz and .zst are cut off; empty when there is none.
std::string extension_of(std::string_view name) {
  const auto cut = [&]() -> std::string {
    const std::size_t slash = name.rfind('/');
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos || dot == 0 || (slash != std::string_view::npos && dot <= slash + 1))
      return {};
    std::string extension(name.substr(dot + 1));
    for (char& c : extension)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    name = name.substr(0, dot);
    return extension;
  };
  std::string extension = cut();
  if (extension == "gz" || extension == "zst") extension = cut();
  return extension;
}

const FormatEntry* of_extension(std::string_view name) {
  const std::string extension = extension_of(name);
  if (extension.empty()) return nullptr;
  for (const FormatEntry& entry : format_catalog())
    for (const std::string_view known : entry.extensions)
      if (extension == known) return &entry;
  return nullptr;
}

[[noreturn]] void fail_table_or_text(const Input& input, std::size_t columns) {
  throw InputError({.message = "the content could be a table of " + std::to_string(columns) +
                               " columns or, as the name says, documents with labels",
                    .hint = "--format tsv reads columns, --format text reads label<TAB>text",
                    .file = input.name(),
                    .code = "ambiguous-format"});
}

// Whether every line that is whole, and two at least, begins with a name of a row as R writes it: quoted, or a number.
bool begin_with_row_names(std::string_view lines) {
  std::size_t count = 0;
  for (std::size_t end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n')) {
    const std::string_view name = lines.substr(0, std::min(lines.find('\t'), end));
    const bool is_number = !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number && !name.starts_with('"')) return false;
    lines.remove_prefix(end + 1);
    ++count;
  }
  return count >= 2;
}

// In how many columns tabs divide the first lines, or 0 where there is one line alone. The header that R's write.table writes
// is a name short.
std::size_t tabbed_columns(std::string_view text) {
  const Dialect tabs{'\t', false};
  const std::size_t line = text.find('\n');
  if (line == std::string_view::npos || line + 1 == text.size()) return 0;
  if (const std::size_t columns = consistent_fields(text, tabs); columns > 0) return columns;
  const std::string_view rest = text.substr(line + 1);
  const std::size_t names = consistent_fields(text.substr(0, line), tabs);
  const std::size_t columns = consistent_fields(rest, tabs);
  return columns == names + 1 && begin_with_row_names(rest) ? columns : 0;
}

// By the name. Text files are called .txt whatever they hold: without a tab in the first line they are no documents with
// labels, and may be of a format that their content tells; with the same number of tabs in every line they may be tables.
const FormatEntry* by_name(Input& input, std::optional<data::InputKind> kind) {
  const FormatEntry* const entry = of_extension(input.name());
  if (entry == nullptr || entry->format != Format::text || kind == data::InputKind::text) return entry;
  const std::string_view prefix = input.peek();
  const bool has_tab = prefix.substr(0, prefix.find('\n')).find('\t') != std::string_view::npos;
  if (has_tab) {
    const std::size_t columns = tabbed_columns(prefix);
    if (kind == data::InputKind::columns && columns > 1) return &find_format(Format::tsv);
    if (kind || columns <= 2) return entry;
  }
  const FormatEntry* const other = other_format(prefix, *entry);
  if (other != nullptr && (!has_tab || other->format == Format::jsonl)) return other;
  if (has_tab) fail_table_or_text(input, tabbed_columns(prefix));
  return entry;
}

// What a model's data is, where its content does not say: documents look like anything.
const FormatEntry& of_kind(data::InputKind kind) {
  switch (kind) {
    case data::InputKind::indexed:
      return find_format(Format::libsvm);
    case data::InputKind::named:
      return find_format(Format::vw);
    case data::InputKind::columns:
      return find_format(Format::csv);
    case data::InputKind::text:
      break;
  }
  return find_format(Format::text);
}

const FormatEntry& by_content(Input& input, std::optional<data::InputKind> kind) {
  const std::string_view prefix = input.peek();
  if (kind == data::InputKind::text && find_format(Format::cache).sniff(prefix) == 0) return of_kind(*kind);
  const FormatEntry* best = nullptr;
  const FormatEntry* second = nullptr;
  int best_score = 0, second_score = 0;
  for (const FormatEntry& entry : format_catalog()) {
    const int score = entry.sniff(prefix);
    if (score > best_score) {
      second = best, second_score = best_score;
      best = &entry, best_score = score;
    } else if (score > second_score) {
      second = &entry, second_score = score;
    }
  }
  if (best == nullptr && kind) return of_kind(*kind);
  if (best == nullptr)
    throw InputError({.message = prefix.empty() ? "the input is empty, so its format cannot be told"
                                                : "the format cannot be told from the name or the content",
                      .hint = consistent_fields(prefix, {' ', true}) > 1
                                  ? "name it with --format; fields between single blanks are --format csv "
                                    "--delimiter ' '"
                                  : "name it with --format",
                      .file = input.name(),
                      .code = "unknown-format"});
  if (second != nullptr && best_score - second_score < 10)
    throw InputError(
        {.message = "the content could be " + std::string(best->name) + " or " + std::string(second->name),
         .hint = "name it with --format",
         .file = input.name(),
         .code = "ambiguous-format"});
  return *best;
}

}  // namespace

std::span<const FormatEntry> format_catalog() {
  static const FormatEntry catalog[] = {
      libsvm_format(), vw_format(),  csv_format(), tsv_format(),   jsonl_format(),
      text_format(),   npy_format(), npz_format(), cache_format(),
  };
  return catalog;
}

const FormatEntry& find_format(Format format) {
  for (const FormatEntry& entry : format_catalog())
    if (entry.format == format) return entry;
  throw ConfigError("this format cannot be read", "format");
}

Format format_of_name(std::string_view name) {
  const FormatEntry* const entry = of_extension(name);
  return entry == nullptr ? Format::automatic : entry->format;
}

const FormatEntry& detect_format(std::vector<Input>& inputs, const ReadOptions& options,
                                 std::optional<data::InputKind> kind) {
  if (options.format != Format::automatic) return find_format(options.format);
  const FormatEntry* first = nullptr;
  for (Input& input : inputs) {
    const FormatEntry* entry = by_name(input, kind);
    if (entry == nullptr) entry = &by_content(input, kind);
    if (first == nullptr) first = entry;
    if (first != entry)
      throw ConfigError("the inputs differ: " + quote_text(inputs.front().name()) + " is " +
                            std::string(first->name) + ", " + quote_text(input.name()) + " is " +
                            std::string(entry->name) + "; expected one format",
                        "format");
  }
  return *first;
}

}  // namespace lazylogit::io
