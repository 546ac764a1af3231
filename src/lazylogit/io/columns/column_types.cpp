// settle_types and report_columns of table_learner.hpp.
#include <algorithm>
#include <string>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/columns/name_list.hpp"
#include "lazylogit/io/columns/table_learner.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;

bool is_text(std::uint64_t present, std::uint64_t with_blanks, std::uint64_t distinct) {
  return with_blanks * 2 > present && distinct * 2 > present;
}

struct ValueKinds {
  std::uint64_t numbers = 0;      // distinct values that are numbers
  std::uint64_t almost = 0;       // … that are meant as numbers: decimal commas, inf
  std::uint64_t elsewhere = 0;    // … that others read as numbers: digit separators, hexadecimal
  std::uint64_t with_blanks = 0;  // cells that hold a blank
  std::uint64_t cells = 0;
};

ValueKinds judge_values(const LearnedTable& table, std::uint32_t c) {
  ValueKinds kinds;
  const ColumnValues& values = table.values;
  for (std::uint32_t i = values.first(c); i != ColumnValues::none; i = values.next(i)) {
    const std::string_view text = values.name(i);
    double number = 0;
    kinds.cells += table.counts[i];
    if (text.find(' ') != std::string_view::npos) kinds.with_blanks += table.counts[i];
    if (parse_cell_number(text, number) != NumberStatus::malformed)
      ++kinds.numbers;
    else if (is_decimal_comma(text) || is_not_finite(text))
      ++kinds.almost;
    else if (is_number_elsewhere(text))
      ++kinds.elsewhere;
  }
  return kinds;
}

[[noreturn]] void fail_almost_number(std::string_view name, const CellExample& example) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = example.file();
  detail.line = example.line;
  detail.column = example.column;
  detail.found = quote_text(example.text);
  detail.message = "column " + quote_text(name) + ": " + detail.found + " is not a number";
  detail.expected = "a finite number with a decimal point, or an empty cell";
  detail.message += ", expected " + detail.expected;
  detail.hint = "--categorical reads the column as names";
  detail.code = "bad-number";
  throw InputError(std::move(detail));
}

[[noreturn]] void fail_nested(std::string_view name, const CellExample& example) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = example.file();
  detail.line = example.line;
  detail.column = example.column;
  detail.message =
      "key " + quote_text(name) + ": found an object or array, expected a plain value as in other rows";
  detail.hint = "--ignore leaves the key out";
  detail.code = "bad-type";
  throw InputError(std::move(detail));
}

ColumnType judge(const LearnedTable& table, const TablePlan& plan, std::uint32_t c) {
  const RareFacts& facts = table.facts.rare(c);
  switch (plan.columns[c].type) {
    case ColumnType::numeric:
      return facts.has_non_number() ? ColumnType::categorical : ColumnType::numeric;
    case ColumnType::sparse:
      return ColumnType::sparse;
    case ColumnType::text:
      if (facts.present == 0 || !facts.has_non_number()) return ColumnType::numeric;
      return is_text(facts.present, facts.texts->with_blanks, facts.texts->hashes.size())
                 ? ColumnType::text
                 : ColumnType::categorical;
    case ColumnType::categorical:
      break;
  }
  const ValueKinds kinds = judge_values(table, c);
  if (!facts.has_non_number()) return ColumnType::numeric;
  const std::size_t distinct = table.values.count(c);
  // 2020_01 and 0x1F may be names as long as no plain number stands beside them.
  const bool is_meant = kinds.almost > 0 || (kinds.elsewhere > 0 && kinds.numbers > 0);
  if (is_meant && kinds.numbers + kinds.almost + kinds.elsewhere == distinct)
    fail_almost_number(plan.name(c), facts.non_number);
  return is_text(kinds.cells, kinds.with_blanks, distinct) ? ColumnType::text : ColumnType::categorical;
}

// Of a column that is not one of numbers: whether some row has a value.
bool has_cells(const LearnedTable& table, std::uint32_t c) {
  return table.facts.rare(c).present > 0 || table.values.count(c) > 0;
}

bool all_distinct(const LearnedTable& table, std::uint32_t c) {
  std::uint32_t value = table.values.first(c);
  while (value != ColumnValues::none && table.counts[value] == 1) value = table.values.next(value);
  return value == ColumnValues::none;
}

void warn(Log& log, const std::string& file, const std::string& message, const std::string& hint,
          const std::string& code) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.file = file;
  detail.message = message;
  detail.hint = hint;
  detail.code = code;
  log.warning(detail);
}

// Names that stand for quantities: one model for each amount or day, which says nothing about another one.
void report_quantities(const LearnedTable& table, const TablePlan& plan, std::uint32_t c, Log& log) {
  const CellExample& example = table.facts.rare(c).non_number;
  const ColumnValues& values = table.values;
  constexpr std::size_t few = 5;
  if (plan.columns[c].type_is_given || values.count(c) < few) return;
  const std::string_view unit = unit_of_number(example.text);
  if (unit.empty() && !is_date(example.text)) return;
  for (std::uint32_t value = values.first(c); value != ColumnValues::none; value = values.next(value))
    if (unit.empty() ? !is_date(values.name(value)) : unit_of_number(values.name(value)) != unit) return;
  warn(log, example.file(),
       "column " + quote_text(plan.name(c)) + " holds " +
           (unit.empty() ? std::string("dates") : "numbers with " + quote_text(unit)) + " (line " +
           std::to_string(example.line) + ": " + quote_text(example.text) +
           "); each of its values is a category",
       unit.empty() ? "--ignore leaves it out; a number, such as days since another, can be learned from"
                    : "numbers alone are read as a quantity; --categorical says that they are names",
       unit.empty() ? "dates" : "numbers-with-units");
}

void report_categories(const LearnedTable& table, const TablePlan& plan, std::uint32_t c, Log& log) {
  const std::uint64_t distinct = table.values.count(c);
  const CellExample& example = table.facts.rare(c).non_number;
  if (const std::uint64_t numbers = plan.columns[c].type_is_given ? 0 : judge_values(table, c).numbers;
      numbers > 0) {
    const std::string message = "column " + quote_text(plan.name(c)) + " mixes numbers and text (line " +
                                std::to_string(example.line) + ": " + quote_text(example.text) +
                                "); its values are read as names";
    // A word among numbers is a mistake more often than a name, and makes another model: not to be missed.
    if (2 * numbers > distinct)
      warn(log, example.file(), message,
           "--categorical says that they are; what is missing is an empty cell, NA, NaN, null or ?",
           "mixed-column");
    else
      log.notice(message);
  }
  constexpr std::uint64_t few = 10;
  if (distinct >= few && all_distinct(table, c))
    warn(log, example.file(),
         "column " + quote_text(plan.name(c)) + " has a different value in each of its " +
             counted(distinct, "cell") + ", like an identifier",
         "--ignore or --id keeps it out of the model", "all-distinct");
}

}  // namespace

bool settle_types(const LearnedTable& table, TablePlan& plan) {
  bool settled = true;
  for (std::uint32_t c = 0; c < plan.columns.size(); ++c) {
    ColumnPlan& column = plan.columns[c];
    if (column.role != ColumnRole::feature || column.type_is_given) continue;
    if (const RareFacts& facts = table.facts.rare(c); facts.nested != nullptr) {
      if (table.facts[c].has_number != 0 || has_cells(table, c)) fail_nested(plan.name(c), *facts.nested);
      column.type = ColumnType::sparse;
      column.type_is_given = true;
      settled = false;
      continue;
    }
    const ColumnType type = judge(table, plan, c);
    settled = settled && type == column.type;
    column.type = type;
  }
  number_slots(plan);
  return settled;
}

void report_columns(const LearnedTable& table, const TablePlan& plan, Log& log) {
  NameList constant;
  for (std::uint32_t c = 0; c < plan.columns.size(); ++c) {
    const ColumnPlan& column = plan.columns[c];
    const ColumnFacts& facts = table.facts[c];
    if (column.role != ColumnRole::feature || column.type == ColumnType::sparse) continue;
    const bool numeric = column.type == ColumnType::numeric;
    if (numeric ? facts.has_number == 0 : !has_cells(table, c)) {
      warn(log, {}, "column " + quote_text(plan.name(c)) + " has no value in any row; it is left out", "",
           "empty-column");
      continue;
    }
    if (column.type == ColumnType::categorical) report_categories(table, plan, c, log);
    if (column.type == ColumnType::categorical) report_quantities(table, plan, c, log);
    const bool single =
        numeric ? facts.varied == 0 : column.type == ColumnType::categorical && table.values.count(c) == 1;
    if (single && facts.missing == 0 && table.num_rows > 1) constant.add(plan.name(c));
  }
  if (constant.size() > 0)
    log.notice("constant columns, which tell the classes apart in no way: " + constant.text());
}

}  // namespace lazylogit::io
