#include "lazylogit/io/columns/table_block.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/columns/gathered_rows.hpp"

namespace lazylogit::io {

void TableBlock::clear(const TablePlan& plan, const ReadOptions& options) {
  rows.clear(options, Precision::float64);
  codes.clear();  // what the block before had goes first
  sparse.clear();
  facts = {};
  if (!plan.only_checks) {
    codes = std::vector<CodeColumn>(plan.num_categorical);
    sparse = std::vector<SparseColumn>(plan.num_sparse);
  }
  facts = TableFacts(plan.columns.size());
  new_keys = {};
  num_categories = 0;
}

TableWriter::TableWriter(const TablePlan& plan, const TextBlock& block, TableBlock& out)
    : plan_(&plan), block_(&block), out_(&out), is_varied_(plan.columns.size(), 0), tokenizer_(plan.text) {
  if (plan.only_checks) return;
  constexpr std::uint32_t most_recent = 1024;  // each takes some kilobytes
  if (plan.num_categorical <= most_recent) recent_.resize(plan.num_categorical);
  counters_.reserve(plan.num_sparse);
  for (std::uint32_t slot = 0; slot < plan.num_sparse; ++slot) counters_.emplace_back(plan.text.ngrams);
}

void TableWriter::begin_row() {
  RowBlock& rows = out_->rows;
  rows.begin_row();
  num_entries_ = rows.row_begin();
  const std::size_t room = num_entries_ + 2 * plan_->columns.size() + number_group;
  rows.ids.resize(room);
  rows.values64.resize(room);
  ids_ = rows.ids.data();
  values_ = rows.values64.data();
  taken_.clear();
  cells_.clear();
  misfits_.clear();
  other_.clear();
  other_nested_.clear();
  nested_.clear();
  missing_.clear();
  num_kept_ = 0;
}

void TableWriter::note_number(std::uint32_t column, double value) {
  ColumnFacts& facts = out_->facts[column];
  // A number of a row that is rejected later can only make a constant column look varied.
  facts.add_number(value);
  is_varied_[column] = facts.varied;
}

void TableWriter::missing(std::uint32_t column) {
  missing_.push_back(column);
  constexpr double absent = std::numeric_limits<double>::quiet_NaN();
  const bool numeric = plan_->columns[column].type == data::ColumnType::numeric;
  if (!plan_->is_gathered()) {
    if (numeric) put(column, absent);
    return;
  }
  const std::uint32_t mark = missing_entry(*plan_, column);
  put(numeric ? column : mark, absent);  // the stand-in
  put(mark, 1);
}

void TableWriter::add_code(CodeColumn& column) {
  if (column.counts.empty() && recent_.empty()) {  // very many columns, with few values each
    column.counts.reserve(4);
    column.entries.reserve(4);
  }
  column.counts.push_back(0);
  column.entries.push_back(first_category_entry(*plan_) + out_->num_categories++);
}

void TableWriter::nested_misfit(std::uint32_t column, const char* at) {
  if (plan_->only_checks)
    other_nested_.push_back(column);
  else
    misfits_.push_back({column, {}, at, true, true});
}
void TableWriter::misfit(std::uint32_t column, std::string_view value, const char* at) {
  if (plan_->only_checks)
    other_.push_back(column);
  else
    misfits_.push_back({column, value, at});
}
void TableWriter::nested(std::uint32_t column, std::string_view key, double value) {
  if (!plan_->only_checks) nested_.push_back({column, keep(key), value});
}

std::string_view TableWriter::keep(std::string_view value) {
  if (num_kept_ == kept_.size()) kept_.emplace_back();
  std::string& place = kept_[num_kept_++];
  place.assign(value);
  return place;
}

void TableWriter::commit_checked(std::uint32_t label) {
  out_->rows.ids.resize(out_->rows.row_begin());
  out_->rows.values64.resize(out_->rows.row_begin());
  out_->rows.complete_row(label, false);
  for (const std::uint32_t column : other_) out_->facts[column].has_other = 1;
  for (const std::uint32_t column : other_nested_) out_->facts[column].has_nested = 1;
}

void TableWriter::commit(std::uint32_t label) {
  if (plan_->only_checks) return commit_checked(label);
  out_->rows.ids.resize(num_entries_);
  out_->rows.values64.resize(num_entries_);
  out_->rows.complete_row(label, false);
  for (const Cell& cell : misfits_) {
    out_->facts.make_rare(cell.column).present += cell.is_nested ? 0 : 1;
    note_example(cell);
  }
  for (const std::uint32_t c : missing_) {
    const ColumnPlan& column = plan_->columns[c];
    out_->facts[c].add_missing(1);
    if (column.type == data::ColumnType::categorical && !plan_->is_gathered())
      out_->codes[column.slot].codes.push_back(missing_code);
    if (column.type == data::ColumnType::text)
      out_->sparse[column.slot].missing_rows.push_back(static_cast<std::uint32_t>(out_->rows.num_rows() - 1));
  }
  for (const Taken& taken : taken_) count_code(taken);
  for (const Cell& cell : cells_) {
    ++out_->facts.make_rare(cell.column).present;
    write_document(cell);
  }
  for (const Nested& nested : nested_) write_nested(nested);
  for (SparseColumn& column : out_->sparse)
    column.row_ends.push_back(static_cast<std::uint32_t>(column.ids.size()));
}

CellExample& TableWriter::example_of(std::uint32_t column, bool is_nested) {
  RareFacts& facts = out_->facts.make_rare(column);
  if (!is_nested) return facts.non_number;
  if (facts.nested == nullptr) facts.nested = std::make_unique<CellExample>();
  return *facts.nested;
}

void TableWriter::note_example(const Cell& cell) {
  CellExample& example = example_of(cell.column, cell.is_nested);
  if (example.line != 0) return;
  example.line = 1;  // the place follows in finish()
  example.place = block_->file;
  example.text = cell.text.substr(0, 64);
  examples_.push_back({cell.at, cell.column, cell.is_nested});
}

void TableWriter::note_if_no_number(const Cell& cell) {
  double value = 0;
  if (!out_->facts.rare(cell.column).has_non_number() &&
      (cell.is_text || parse_cell_number(cell.text, value) == NumberStatus::malformed))
    note_example(cell);
}

void TableWriter::finish() {
  std::sort(examples_.begin(), examples_.end(),
            [](const Example& a, const Example& b) { return a.at < b.at; });
  // One walk over the block for all of them: asking for each place apart, or for the end of the line anew, would be
  // quadratic in wide tables.
  const char* line_begin = block_->text().data();
  const char* const end = line_begin + block_->text().size();
  const auto end_of_line = [&] {
    const void* const found = std::memchr(line_begin, '\n', static_cast<std::size_t>(end - line_begin));
    return found == nullptr ? end : static_cast<const char*>(found);
  };
  const char* line_end = end_of_line();
  std::uint64_t line = block_->first_line;
  for (const Example& cell : examples_) {
    while (line_end < cell.at) {
      line_begin = line_end + 1;
      line_end = end_of_line();
      ++line;
    }
    CellExample& example = example_of(cell.column, cell.is_nested);
    example.line = line;
    example.column = static_cast<std::uint64_t>(cell.at - line_begin) + 1;
  }
  examples_.clear();
}

void TableWriter::count_code(const Taken& taken) {
  CodeColumn& codes = out_->codes[plan_->columns[taken.column].slot];
  if ((codes.counts[taken.code] == 0 || taken.is_text) && !out_->facts.rare(taken.column).has_non_number())
    note_if_no_number({taken.column, codes.values.name(taken.code), taken.at, taken.is_text});
  ++codes.counts[taken.code];
  if (!plan_->is_gathered()) codes.codes.push_back(taken.code);
}

void TableWriter::write_document(const Cell& cell) {
  const ColumnPlan& column = plan_->columns[cell.column];
  SparseColumn& sparse = out_->sparse[column.slot];
  note_if_no_number(cell);
  if (!column.type_is_given) {
    RareFacts& facts = out_->facts.make_rare(cell.column);
    if (facts.texts == nullptr) facts.texts = std::make_unique<RareFacts::Texts>();
    facts.texts->with_blanks += cell.text.find(' ') != std::string_view::npos ? 1 : 0;
    facts.texts->hashes.push_back(XXH3_64bits(cell.text.data(), cell.text.size()));
  }
  tokenizer_.split(cell.text);
  const std::vector<NgramCounter::Entry>& entries = counters_[column.slot].count(tokenizer_, sparse.grams);
  while (sparse.frequency.size() < sparse.grams.size()) sparse.frequency.push_back(0);
  for (const NgramCounter::Entry& entry : entries) {
    sparse.ids.push_back(entry.id);
    sparse.counts.push_back(static_cast<float>(entry.count));
    ++sparse.frequency[entry.id];
  }
}

void TableWriter::write_nested(const Nested& nested) {
  SparseColumn& sparse = out_->sparse[plan_->columns[nested.column].slot];
  const std::uint32_t id = sparse.names.intern(nested.key);
  if (id == sparse.frequency.size()) sparse.frequency.push_back(0);
  if (nested.value == 0) return;
  sparse.ids.push_back(id);
  sparse.values.push_back(nested.value);
  ++sparse.frequency[id];
}

}  // namespace lazylogit::io
