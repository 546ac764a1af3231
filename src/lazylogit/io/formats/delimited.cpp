#include "lazylogit/io/formats/delimited.hpp"

#include <algorithm>
#include <utility>

#include "lazylogit/io/columns/load_table.hpp"
#include "lazylogit/io/formats/delimited_applying.hpp"
#include "lazylogit/io/formats/delimited_dialect.hpp"
#include "lazylogit/io/formats/delimited_learning.hpp"
#include "lazylogit/io/formats/option_fit.hpp"
#include "lazylogit/io/formats/row_index.hpp"
#include "lazylogit/io/formats/table_outline.hpp"
#include "lazylogit/io/formats/text.hpp"
#include "lazylogit/io/text_format.hpp"

namespace lazylogit::io {
namespace {

constexpr std::string_view csv_extensions[] = {"csv"};
constexpr std::string_view tsv_extensions[] = {"tsv", "tab"};

bool is_documents(Input& input) {
  std::string_view text = input.peek(64);
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  text = text.substr(0, text.find('\n'));
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return is_text_header(text);
}

// A table without a feature column: most often the wrong delimiter.
void check_has_features(const TablePlan& plan, const DelimitedOutline& outline, const Input& input,
                        std::string_view head) {
  const bool any = std::any_of(plan.columns.begin(), plan.columns.end(),
                               [](const ColumnPlan& column) { return column.role == ColumnRole::feature; });
  if (any) return;
  const std::string_view below = head.substr(std::min(head.find('\n'), head.size() - 1) + 1);
  const bool has_table_below = detect_delimiter(below, outline.dialect.quoting) != '\0';
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = input.name();
  detail.line = detail.column = 1;
  detail.message = plan.columns.size() == 1
                       ? "found a single column " + quote_text(plan.name(0)) +
                             ", expected fields separated by " + delimiter_name(outline.dialect.delimiter)
                       : "no column is left for features";
  detail.hint = plan.columns.size() > 1 ? "see --ignore and the other roles"
                : has_table_below
                    ? "the first line must hold the names of the columns: take out what is above them"
                    : "--delimiter names another character";
  detail.code = "no-features";
  throw InputError(std::move(detail));
}

// RFC 4180 keeps them, and whoever wrote them hardly meant it.
void warn_about_blank_names(const data::Alphabet& names, const std::string& file, Log& log) {
  std::size_t blank = 0;
  FeatureId example = 0;
  for (FeatureId i = 1; i < names.size(); ++i)  // the first has no delimiter before it
    if (names.name(i).starts_with(' ') && ++blank == 1) example = i;
  if (blank == 0 || blank * 2 < names.size() - 1) return;
  log.warning({.kind = ErrorKind::input,
               .message = "most names of columns begin with a blank, which is part of the name: " +
                          quote_text(names.name(example)),
               .hint = "take out the blanks after the delimiters, or name columns with them",
               .file = file,
               .line = 1,
               .column = 1,
               .code = "blank-names"});
}

// Where quotes are text like any other, as in tsv, and whoever wrote them meant otherwise (R's write.table).
void warn_about_quoted_names(const data::Alphabet& names, const std::string& file, Log& log) {
  for (FeatureId i = 0; i < names.size(); ++i) {
    const std::string_view name = names.name(i);
    if (name.size() < 2 || name.front() != '"' || name.back() != '"') return;
  }
  log.warning({.kind = ErrorKind::input,
               .message = "all names of columns are in quotes, which are part of the names: " +
                          quote_text(names.name(0)),
               .hint = "--quote takes quotes off names and values",
               .file = file,
               .line = 1,
               .column = 1,
               .code = "quoted-names"});
}

// What pandas calls a column without a name when it reads it, as of an index that was written: the next file has the name.
void warn_about_index_name(const TablePlan& plan, const std::string& file, Log& log) {
  constexpr std::string_view name = "Unnamed: 0";
  const std::uint32_t first = 0;
  if (plan.columns.empty() || plan.name(first) != name || plan.columns[first].role != ColumnRole::feature)
    return;
  log.warning(
      {.kind = ErrorKind::input,
       .message = "column " + quote_text(name) + " is a feature: the numbers of rows, as pandas calls them?",
       .hint = "--ignore leaves it out",
       .file = file,
       .line = 1,
       .column = 1,
       .code = "index-name"});
}

// The text of a small block, where its fields end and its entries stay in the cache of a core from one step to the next. But
// every block has something for each column and each n-gram: not where there are many.
std::size_t suitable_block(const TablePlan& plan) {
  constexpr std::size_t small_block = std::size_t{1} << 18, most_columns = 256;
  return plan.is_gathered() && plan.columns.size() <= most_columns ? small_block : default_block_bytes;
}

}  // namespace

Loaded load_delimited(std::vector<Input>& inputs, Format format, const ReadOptions& options, Log& log,
                      const CancelToken& cancel, std::size_t block_bytes) {
  if (format == Format::tsv && options.format == Format::automatic && options_fit(options, Format::text) &&
      is_documents(inputs.front()))
    return load_documents(inputs, options, log, cancel);
  DelimitedOutline outline = outline_tables(inputs, format, options, log);
  TableRun run;
  run.format = format;
  run.rule = outline.dialect.quoting ? RecordRule::quoted_lines : RecordRule::lines;
  run.place_of_types = inputs.front().name();
  run.names_are_first_line = outline.has_header;
  warn_about_blank_names(outline.names, inputs.front().name(), log);
  if (!outline.dialect.quoting && outline.has_header)
    warn_about_quoted_names(outline.names, inputs.front().name(), log);
  const ReadOptions planned = with_row_index(options, outline, inputs.front(), log);
  run.plan =
      make_table_plan(columns_called(std::move(outline.names)), planned, {inputs.front().name(), 1}, log);
  warn_about_index_name(run.plan, inputs.front().name(), log);
  run.plan.names = data::Alphabet::from_raw(run.plan.names.bytes(),
                                            run.plan.names.ends());  // no index: fields have numbers
  check_has_features(run.plan, outline, inputs.front(),
                     first_records(inputs.front(), outline.dialect, options.limits));
  assume_types(outline, first_records(inputs.front(), outline.dialect, options.limits), run.plan);
  run.block_bytes = block_bytes > 0 ? block_bytes : suitable_block(run.plan);
  return load_table(
      inputs, std::move(run),
      [&](const TextBlock& block, const TablePlan& plan, TableBlock& out) {
        parse_delimited(outline, options, block, plan, out);
      },
      options, log, cancel);
}

namespace {

std::unique_ptr<RowSource> open_delimited(std::vector<Input> inputs, Format format, const FixedNames& names,
                                          const ReadOptions& options, Log& log, const CancelToken& cancel) {
  if (names.input->kind == data::InputKind::text)
    return open_documents(std::move(inputs), names, options, log, cancel);
  const std::shared_ptr<const DelimitedApplication> application =
      apply_to_tables(inputs, names, format, options, log);
  TextRun run;
  run.format = format;
  run.rule = application->outline.dialect.quoting ? RecordRule::quoted_lines : RecordRule::lines;
  run.mode = names.input->hash_bits ? FeatureMode::hashed : FeatureMode::fixed;
  run.input = *names.input;
  return stream_text(
      std::move(inputs), run,
      [application](const TextBlock& block, RowBlock& out) { parse_delimited(*application, block, out); },
      names, options, log, cancel);
}

template <Format format>
Loaded load_as(std::vector<Input>& inputs, const ReadOptions& options, Log& log, const CancelToken& cancel) {
  return load_delimited(inputs, format, options, log, cancel);
}

template <Format format>
std::unique_ptr<RowSource> open_as(std::vector<Input> inputs, const FixedNames& names,
                                   const ReadOptions& options, Log& log, const CancelToken& cancel) {
  return open_delimited(std::move(inputs), format, names, options, log, cancel);
}

template <Format format>
data::InputSpec outline_as(std::vector<Input>& inputs, const ReadOptions& options, Log& log) {
  return outline_table(inputs, load_as<format>, format == Format::csv || options.quote, options, log);
}

int sniff_csv(std::string_view prefix) {
  const char found = detect_delimiter(prefix, true);
  return found == '\0' || found == '\t' ? 0 : 60;
}

int sniff_tsv(std::string_view prefix) {
  const std::size_t fields = consistent_fields(prefix, {'\t', false});
  return fields < 2 ? 0 : 60;
}

}  // namespace

FormatEntry csv_format() {
  return {.format = Format::csv,
          .name = "csv",
          .extensions = csv_extensions,
          .precision = Precision::float64,
          .sniff = sniff_csv,
          .load = load_as<Format::csv>,
          .open = open_as<Format::csv>,
          .outline = outline_as<Format::csv>};
}

FormatEntry tsv_format() {
  return {.format = Format::tsv,
          .name = "tsv",
          .extensions = tsv_extensions,
          .precision = Precision::float64,
          .sniff = sniff_tsv,
          .load = load_as<Format::tsv>,
          .open = open_as<Format::tsv>,
          .outline = outline_as<Format::tsv>};
}

}  // namespace lazylogit::io
