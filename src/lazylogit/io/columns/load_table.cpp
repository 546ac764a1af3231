#include "lazylogit/io/columns/load_table.hpp"

#include <algorithm>
#include <utility>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/free_memory.hpp"
#include "lazylogit/io/block_pipeline.hpp"
#include "lazylogit/io/columns/feature_layout.hpp"
#include "lazylogit/io/columns/missing_header.hpp"
#include "lazylogit/io/columns/table_check.hpp"
#include "lazylogit/io/columns/table_emitter.hpp"
#include "lazylogit/io/columns/table_learner.hpp"
#include "lazylogit/io/similar_labels.hpp"
#include "lazylogit/io/text_format.hpp"

namespace lazylogit::io {
namespace {

// Keeps what a pass says until it is known whether the pass counts; progress goes through.
class PassLog final : public Log {
 public:
  explicit PassLog(Log& log) : log_(&log) {}
  void warning(const ErrorDetail& detail) override { said_.push_back({true, detail, {}}); }
  void notice(std::string_view text) override { said_.push_back({false, {}, std::string(text)}); }
  void progress(const Progress& progress) override { log_->progress(progress); }
  void release() {
    for (const Said& said : said_) {
      if (said.is_warning)
        log_->warning(said.detail);
      else
        log_->notice(said.text);
    }
  }

 private:
  struct Said {
    bool is_warning;
    ErrorDetail detail;
    std::string text;
  };
  Log* log_;
  std::vector<Said> said_;
};

// How many blocks may be in flight: each has something for every column.
std::size_t most_blocks(const TablePlan& plan) {
  constexpr std::size_t all = std::size_t{64} << 20, each = 160, of_categories = 1024;
  return all / (1 + each * plan.columns.size() + of_categories * plan.num_categorical);
}

// What each block and each step has for the columns is large then, of many sizes, and soon gone.
bool is_wide(const TablePlan& plan) {
  constexpr std::size_t many_columns = std::size_t{1} << 16;
  return plan.columns.size() > many_columns;
}

// The first pass over a wide table; new keys may make it wider.
void check_pass(std::vector<Input>& inputs, TableRun& run, const ParseTableBlock& parse,
                const ReadOptions& options, Log& log, const CancelToken& cancel) {
  TextBlocks blocks(inputs, run.rule, options.limits, run.block_bytes);
  run.plan.only_checks = true;
  CheckedTable table = check_rows(
      blocks, run.plan, [&](const TextBlock& block, TableBlock& out) { parse(block, run.plan, out); },
      options, log, cancel);
  run.plan.only_checks = false;
  assume_types(table, run.plan);
  if (!table.new_keys.empty() && run.extend) run.extend(table.new_keys, run.plan);
}

LearnedTable read_pass(std::vector<Input>& inputs, const TableRun& run, const ParseTableBlock& parse,
                       const ReadOptions& options, Log& log, const CancelToken& cancel,
                       std::uint64_t& text_bytes) {
  TextBlocks blocks(inputs, run.rule, options.limits, run.block_bytes);
  TableLearner learner(run.plan, options, log);
  BlockPipeline<ReadBlock> pipeline(
      blocks, [&](const TextBlock& block, ReadBlock& out) { parse(block, run.plan, out.table); },
      {.follow = [&](ReadBlock& block) { learner.add_totals(block); },
       .place = [](ReadBlock& block) { place_rows(block.table.rows, block.to); },
       .most_blocks = most_blocks(run.plan)},
      log, cancel);
  if (is_wide(run.plan)) release_free_memory();
  while (ReadBlock* const block = pipeline.next()) {
    if (!learner.has_room(*block)) pipeline.settle();
    learner.add(*block, expected_blocks(blocks));
    if (is_wide(run.plan)) release_free_memory();
  }
  text_bytes = blocks.text_bytes();
  return learner.finish();
}

[[noreturn]] void fail_no_rows(const TableRun& run, const LearnedTable& table) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = run.place_of_types;
  detail.message = "no rows to learn from";
  if (table.bad_rows + table.dropped_rows > 0)
    detail.message += ": " + std::to_string(table.bad_rows) + " bad and " +
                      std::to_string(table.dropped_rows) + " with missing values were left out";
  detail.code = "no-rows";
  throw InputError(std::move(detail));
}

// An option about texts where no column is one.
void warn_about_texts(const TablePlan& plan, const ReadOptions& options, Log& log) {
  const bool any = std::any_of(plan.columns.begin(), plan.columns.end(), [](const ColumnPlan& column) {
    return column.role == ColumnRole::feature && column.type == data::ColumnType::text;
  });
  const char* const option = options.ngrams != 1 ? "--ngrams"
                             : options.lowercase ? "--lowercase"
                             : options.tfidf     ? "--tfidf"
                                                 : nullptr;
  if (any || option == nullptr) return;
  log.warning({.kind = ErrorKind::input,
               .message = "no column holds text, so " + std::string(option) + " changes nothing",
               .hint = "--text NAME reads a column as text",
               .code = "no-text"});
}

}  // namespace

Loaded load_table(std::vector<Input>& inputs, TableRun run, const ParseTableBlock& parse,
                  const ReadOptions& options, Log& log, const CancelToken& cancel) {
  // Numbers may turn out to be categories and those texts, and new keys may turn up in the first pass: three
  // further passes settle everything.
  constexpr int max_passes = 5;
  LearnedTable table;
  Loaded loaded;
  bool is_checked = false;
  for (int pass = 1;; ++pass) {
    PassLog said(log);
    table = {};
    if (pass > 1) release_free_memory();  // blocks of many sizes: what follows may not fit where they were
    if (is_wide(run.plan) && !std::exchange(is_checked, true))
      check_pass(inputs, run, parse, options, log, cancel);
    table = read_pass(inputs, run, parse, options, said, cancel, loaded.summary.text_bytes);
    if (table.num_rows == 0) fail_no_rows(run, table);
    bool settled = settle_types(table, run.plan);
    if (!table.new_keys.empty() && run.extend) {
      run.extend(table.new_keys, run.plan);
      settled = false;
    }
    if (settled) {
      said.release();
      break;
    }
    if (pass == max_passes) {
      ErrorDetail detail;
      detail.kind = ErrorKind::input;
      detail.file = run.place_of_types;
      detail.message = "the types of columns change with the rows that are left out";
      detail.hint = "--categorical, --text and --ignore settle them";
      throw InputError(std::move(detail));
    }
  }
  if (run.names_are_first_line) refuse_missing_header(table, run.plan, run.place_of_types);
  report_columns(table, run.plan, log);
  warn_about_texts(run.plan, options, log);
  if (table.dropped_rows > 0)
    log.notice(counted(table.dropped_rows, "row") + " with missing values left out");
  table.facts.drop_rare();
  release_free_memory();
  FeatureLayout layout = make_feature_layout(table, run.plan, options, log);
  table.totals = {};
  table.drop_names();
  const bool blanks_are_told =
      run.plan.target != no_column && run.plan.name(run.plan.target).starts_with(' ');
  run.plan.names = {};
  if (is_wide(run.plan)) release_free_memory();
  layout.index_names();
  loaded.summary.rows = table.num_rows;
  loaded.summary.bad_rows = table.bad_rows;
  loaded.summary.dropped_rows = table.dropped_rows;
  loaded.summary.hashed_features = layout.hashed_features;
  loaded.summary.shared_slots = layout.shared_slots;
  loaded.summary.format = run.format;
  loaded.summary.target = layout.input.target;
  const Precision precision = effective_precision(options, find_format(run.format));
  static_cast<data::Rows&>(loaded.data) = emit_rows(table, run.plan, layout, precision, cancel);
  if (options.response == data::Response::classes) {
    warn_about_blanks(table.labels, log);
    warn_about_case(table.labels, log);
    warn_about_name_among_numbers(table.labels, log);
  }
  if (options.response == data::Response::classes && !blanks_are_told)
    warn_about_leading_blanks(table.labels, log);
  std::vector<ClassId> to_class;
  loaded.data.classes = data::ClassTable::from_labels(table.labels, &to_class);
  for (ClassId& label : loaded.data.labels)
    if (label != unknown_class) label = to_class[static_cast<std::size_t>(label)];
  loaded.data.features = std::move(layout.names);
  loaded.data.input = std::move(layout.input);
  loaded.data.idf = std::move(layout.idf);
  return loaded;
}

}  // namespace lazylogit::io
