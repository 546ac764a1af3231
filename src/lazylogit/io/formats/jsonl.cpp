#include "lazylogit/io/formats/jsonl.hpp"

#include <algorithm>
#include <utility>

#include "lazylogit/io/columns/load_table.hpp"
#include "lazylogit/io/formats/delimited_header.hpp"
#include "lazylogit/io/formats/jsonl_applying.hpp"
#include "lazylogit/io/formats/jsonl_learning.hpp"
#include "lazylogit/io/formats/table_outline.hpp"
#include "lazylogit/io/text_format.hpp"

namespace lazylogit::io {
namespace {

constexpr std::string_view jsonl_extensions[] = {"jsonl", "ndjson"};
constexpr Dialect lines = {'\n', false};

// Keys that options speak of and that the first lines do not show; they may come later.
void add_named_keys(const std::vector<std::string>& names, TableColumns& keys) {
  for (const std::string& name : names)
    if (keys.names.intern(name) == keys.columns.size()) keys.columns.emplace_back();
}

// The first line decides whether this is JSON lines at all: say so before saying that a key is absent.
void check_first_line(Input& input, std::string_view text, const ReadOptions& options) {
  std::vector<Input> one;
  one.push_back(Input::from_memory(input.name(), text, options.limits));
  TextBlocks blocks(one, RecordRule::lines, options.limits);
  TextBlock block;
  if (!blocks.next(block)) {
    ErrorDetail detail;
    detail.kind = ErrorKind::input;
    detail.file = input.name();
    detail.message = "the input is empty, expected one object in each line";
    detail.code = "empty-input";
    throw InputError(std::move(detail));
  }
  TableBlock parsed;
  ReadOptions strict = options;
  strict.skip_bad_rows = false;
  strict.max_errors = 1;
  parse_jsonl(strict, block, TablePlan{}, parsed);
  if (!parsed.rows.errors.empty()) {
    ErrorDetail detail = std::move(parsed.rows.errors.front());
    if (detail.kind == ErrorKind::environment) throw LimitError(std::move(detail));
    throw InputError(std::move(detail));
  }
}

// What is left of a plan with some of its columns.
template <class Keeps>
TablePlan with_columns(const TablePlan& plan, Keeps keeps) {
  TablePlan kept = plan;
  kept.names = {};
  kept.columns.clear();
  for (std::uint32_t c = 0; c < plan.columns.size(); ++c) {
    if (!keeps(c)) continue;
    const std::uint32_t at = kept.names.intern(plan.name(c));
    kept.columns.push_back(plan.columns[c]);
    for (const auto role :
         {&TablePlan::target, &TablePlan::id, &TablePlan::weight, &TablePlan::offset, &TablePlan::count})
      if (plan.*role == c) kept.*role = at;
  }
  kept.names.build_index();
  number_slots(kept);
  return kept;
}

// Where bad rows are skipped: keys of lines that are JSON, but have no label or a bad weight, are no columns.
void leave_out_rejected(const std::string& file, std::string_view text, const ReadOptions& options,
                        TablePlan& plan) {
  TableBlock parsed;
  data::Alphabet kept;
  std::vector<Input> one;
  one.push_back(Input::from_memory(file, text, options.limits));
  TextBlocks blocks(one, RecordRule::lines, options.limits);
  const TablePlan roles =
      with_columns(plan, [&](std::uint32_t c) { return plan.columns[c].role != ColumnRole::feature; });
  for (TextBlock block; blocks.next(block);) {
    parse_jsonl(options, block, roles, parsed);
    for (FeatureId i = 0; i < parsed.new_keys.size(); ++i) kept.intern(parsed.new_keys.name(i).substr(1));
  }
  plan = with_columns(plan, [&](std::uint32_t c) {
    const ColumnPlan& column = plan.columns[c];
    const bool is_named = (column.type_is_given && column.type != data::ColumnType::sparse) ||
                          column.above > ColumnPlan().above;
    return column.role != ColumnRole::feature || is_named || kept.find(plan.name(c));
  });
}

void add_keys(const data::Alphabet& new_keys, TablePlan& plan) {
  for (FeatureId i = 0; i < new_keys.size(); ++i) {
    const std::string_view key = new_keys.name(i), name = key.substr(1);
    // Seen both nested and plain: the next pass decides.
    if (plan.names.intern(name) < plan.columns.size()) continue;
    const bool is_nested = key.front() == '{';
    plan.columns.push_back({.type_is_given = is_nested,
                            .type = is_nested ? data::ColumnType::sparse : data::ColumnType::numeric});
  }
  number_slots(plan);
}

}  // namespace

Loaded load_json_lines(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                       const CancelToken& cancel, std::size_t block_bytes) {
  for (Input& input : inputs) input.keep_while_reading();
  const std::string_view text = first_records(inputs.front(), lines, options.limits);
  TableColumns columns = glance_at_keys(text, options);
  if (columns.columns.empty()) check_first_line(inputs.front(), text, options);
  add_named_keys(options.ignore, columns);
  add_named_keys(options.categorical, columns);
  add_named_keys(options.text, columns);
  TableRun run;
  run.format = Format::jsonl;
  run.place_of_types = inputs.front().name();
  run.plan = make_table_plan(std::move(columns), options, {inputs.front().name(), 1}, log);
  if (options.skip_bad_rows) leave_out_rejected(inputs.front().name(), text, options, run.plan);
  run.block_bytes = block_bytes;
  run.extend = add_keys;
  return load_table(
      inputs, std::move(run),
      [&](const TextBlock& block, const TablePlan& plan, TableBlock& out) {
        parse_jsonl(options, block, plan, out);
      },
      options, log, cancel);
}

namespace {

Loaded load_jsonl(std::vector<Input>& inputs, const ReadOptions& options, Log& log,
                  const CancelToken& cancel) {
  return load_json_lines(inputs, options, log, cancel);
}

std::unique_ptr<RowSource> open_jsonl(std::vector<Input> inputs, const FixedNames& names,
                                      const ReadOptions& options, Log& log, const CancelToken& cancel) {
  const std::shared_ptr<const JsonlApplication> application =
      apply_to_jsonl(names, options, first_records(inputs.front(), lines, options.limits));
  TextRun run;
  run.format = Format::jsonl;
  run.mode = names.input->hash_bits ? FeatureMode::hashed : FeatureMode::fixed;
  run.input = *names.input;
  return stream_text(
      std::move(inputs), run,
      [application](const TextBlock& block, RowBlock& out) { parse_jsonl(*application, block, out); }, names,
      options, log, cancel);
}

data::InputSpec outline_jsonl(std::vector<Input>& inputs, const ReadOptions& options, Log& log) {
  return outline_table(inputs, load_jsonl, false, options, log);
}

int sniff_jsonl(std::string_view prefix) {
  const std::size_t at = prefix.find_first_not_of(" \t\r\n");
  if (at == std::string_view::npos || (prefix[at] != '{' && prefix[at] != '[')) return 0;
  const std::size_t next = prefix.find_first_not_of(" \t\r\n", at + 1);
  // A whole array is no JSON lines, and their reader says so.
  if (prefix[at] == '[') return next != std::string_view::npos && prefix[next] == '{' ? 95 : 0;
  return next == std::string_view::npos || prefix[next] == '"' || prefix[next] == '}' ? 95 : 0;
}

}  // namespace

FormatEntry jsonl_format() {
  return {.format = Format::jsonl,
          .name = "jsonl",
          .extensions = jsonl_extensions,
          .precision = Precision::float64,
          .sniff = sniff_jsonl,
          .load = load_jsonl,
          .open = open_jsonl,
          .outline = outline_jsonl};
}

}  // namespace lazylogit::io
