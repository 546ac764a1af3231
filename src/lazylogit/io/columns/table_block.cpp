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
  values.clear();
  counts.clear();
  codes.clear();
  grams.clear();
  texts = {};
  nested = {};
  facts = {};  // what the block before had goes first
  if (!plan.only_checks && !plan.has_many_texts()) grams.resize(plan.num_texts);
  facts = TableFacts(plan.columns.size());
  new_keys = {};
}

TableWriter::TableWriter(const TablePlan& plan, const TextBlock& block, TableBlock& out)
    : plan_(&plan),
      block_(&block),
      out_(&out),
      is_gathered_(plan.is_gathered()),
      first_category_(first_category_entry(plan)),
      is_varied_(plan.columns.size(), 0),
      tokenizer_(plan.text) {
  if (plan.only_checks) return;
  constexpr std::uint32_t most_recent = 1024;  // each takes some kilobytes
  if (plan.num_categorical <= most_recent) recent_.resize(plan.num_categorical);
  counters_.reserve(out.grams.size());
  for (std::size_t slot = 0; slot < out.grams.size(); ++slot) counters_.emplace_back(plan.text.ngrams);
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
  if (!is_gathered_) {
    if (numeric) put(column, absent);
    return;
  }
  const std::uint32_t mark = missing_entry(*plan_, column);
  put(numeric ? column : mark, absent);  // the stand-in
  put(mark, 1);
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
  for (const std::uint32_t c : missing_) out_->facts[c].add_missing(1);
  if (!is_gathered_)
    for (std::uint32_t slot = 0; slot < plan_->num_categorical; ++slot) out_->codes.push_back(missing_code);
  for (const Taken& taken : taken_) count_code(taken);
  if (is_gathered_) return;
  write_texts();
  write_nested();
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
  if (is_gathered_) {
    const Buffer<double>& values = out_->rows.values64;
    out_->rows.all_ones =
        std::find_if(values.begin(), values.end(), [](double value) { return value != 1; }) == values.end();
  }
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
  std::uint32_t& count = out_->counts[taken.code];
  if (count == 0 || taken.is_text || !is_gathered_) {
    const std::uint32_t column = out_->values.column(taken.code);
    if ((count == 0 || taken.is_text) && !out_->facts.rare(column).has_non_number())
      note_if_no_number({column, out_->values.name(taken.code), taken.at, taken.is_text});
    if (!is_gathered_)
      *(out_->codes.end() - plan_->num_categorical + plan_->columns[column].slot) = taken.code;
  }
  ++count;
}

// The cells of each column of texts: what is missing has a mark.
void TableWriter::write_texts() {
  std::size_t missing = 0;
  const auto mark_missing = [&](std::uint32_t before) {
    for (; missing < missing_.size() && missing_[missing] < before; ++missing) {
      if (plan_->columns[missing_[missing]].type != data::ColumnType::text) continue;
      out_->texts.add(missing_code, 0);
      out_->texts.end_cell();
    }
  };
  for (const Cell& cell : cells_) {
    mark_missing(cell.column);
    write_document(cell);
    out_->texts.end_cell();
  }
  mark_missing(no_column);
}

void TableWriter::write_document(const Cell& cell) {
  const ColumnPlan& column = plan_->columns[cell.column];
  ++out_->facts.make_rare(cell.column).present;
  note_if_no_number(cell);
  if (!column.type_is_given) {
    RareFacts& facts = out_->facts.make_rare(cell.column);
    if (facts.texts == nullptr) facts.texts = std::make_unique<RareFacts::Texts>();
    facts.texts->with_blanks += cell.text.find(' ') != std::string_view::npos ? 1 : 0;
    facts.texts->hashes.push_back(XXH3_64bits(cell.text.data(), cell.text.size()));
  }
  tokenizer_.split(cell.text);
  if (plan_->has_many_texts()) return write_grams(cell.column);
  auto& [grams, counts] = out_->grams[column.slot];
  const std::vector<NgramCounter::Entry>& entries = counters_[column.slot].count(tokenizer_, grams);
  while (counts.size() < grams.size()) counts.push_back(0);
  for (const NgramCounter::Entry& entry : entries) {
    out_->texts.add(entry.id, static_cast<float>(entry.count));
    ++counts[entry.id];
  }
}

void TableWriter::write_grams(std::uint32_t column) {
  grams_.clear();
  tokenizer_.for_each_ngram([&](std::string_view gram) { grams_.push_back(intern(column, gram)); });
  std::sort(grams_.begin(), grams_.end());
  for (std::size_t k = 0; k < grams_.size();) {
    const std::size_t first = k;
    while (k < grams_.size() && grams_[k] == grams_[first]) ++k;
    out_->texts.add(grams_[first], static_cast<float>(k - first));
    ++out_->counts[grams_[first]];
  }
}

void TableWriter::write_nested() {
  const auto by_column = [](const Nested& a, const Nested& b) { return a.column < b.column; };
  if (!std::is_sorted(nested_.begin(), nested_.end(), by_column))
    std::stable_sort(nested_.begin(), nested_.end(), by_column);
  std::uint32_t slot = 0;
  for (const Nested& nested : nested_) {
    for (; slot < plan_->columns[nested.column].slot; ++slot) out_->nested.end_cell();
    const std::uint32_t key = intern(nested.column, nested.key);
    if (nested.value == 0) continue;
    out_->nested.add(key, nested.value);
    ++out_->counts[key];
  }
  for (; slot < plan_->num_nested; ++slot) out_->nested.end_cell();
}

std::uint32_t TableWriter::intern(std::uint32_t column, std::string_view value) {
  const std::uint32_t number = out_->values.intern(column, value);
  if (number == out_->counts.size()) out_->counts.push_back(0);
  return number;
}

}  // namespace lazylogit::io
