#include "lazylogit/io/columns/missing_header.hpp"

#include <algorithm>

#include "lazylogit/io/columns/cell.hpp"

namespace lazylogit::io {
namespace {

bool is_number(std::string_view text) {
  double value = 0;
  return parse_cell_number(text, value) == NumberStatus::ok;
}

// Without a list of labels they are numbers.
bool is_value_of_labels(std::string_view name, const std::vector<std::string>& labels) {
  const bool number = is_number(name);
  if (labels.empty()) return number;
  return std::any_of(labels.begin(), labels.end(),
                     [&](const std::string& label) { return label == name || (number && is_number(label)); });
}

bool is_value_of_feature(const LearnedTable& table, const TablePlan& plan, std::size_t c) {
  switch (plan.columns[c].type) {
    case data::ColumnType::numeric:
      return table.facts[c].has_number != 0 && is_number(plan.name(c));
    case data::ColumnType::categorical:
      return table.values.has(static_cast<std::uint32_t>(c), plan.name(c));
    case data::ColumnType::text:
    case data::ColumnType::sparse:
      break;
  }
  return false;
}

bool is_name_among_values(const LearnedTable& table, const TablePlan& plan, std::size_t c) {
  return !is_number(plan.name(c)) && is_value_of_feature(table, plan, c);
}

// Names over numbers speak for a header, names that are values of their columns against it: whether the former are there and
// no fewer.
bool names_vouch(const LearnedTable& table, const TablePlan& plan) {
  std::size_t vouching = 0, doubtful = 0;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const ColumnPlan& column = plan.columns[c];
    if (column.role != ColumnRole::feature) continue;
    if (is_name_among_values(table, plan, c)) ++doubtful;
    if (column.type == data::ColumnType::numeric && table.facts[c].has_number != 0 &&
        !is_number(plan.name(c)) && !is_missing_cell(plan.name(c)))
      ++vouching;
  }
  return vouching > 0 && vouching >= doubtful;
}

}  // namespace

void refuse_missing_header(const LearnedTable& table, const TablePlan& plan, const std::string& file) {
  if (!plan.target_is_guessed) return;
  const bool has_names = names_vouch(table, plan);
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const ColumnPlan& column = plan.columns[c];
    const bool is_value = c == plan.target ? is_value_of_labels(plan.name(c), table.labels)
                          : column.role == ColumnRole::feature ? is_value_of_feature(table, plan, c)
                                                               : false;
    if (!is_value || (has_names && c != plan.target && !is_number(plan.name(c)))) continue;
    ErrorDetail detail;
    detail.kind = ErrorKind::input;
    detail.file = file;
    detail.line = detail.column = 1;
    detail.found = quote_text(plan.name(c));
    detail.message = "the name " + detail.found + " of column " + std::to_string(c + 1) +
                     " is like the values below it, as if the header were missing";
    detail.hint =
        plan.columns.size() == 2
            ? "use --no-header, or --format text for label<TAB>text; if it is a name, choose the label "
              "column with --target"
            : "use --no-header; if it is a name, choose the label column with --target";
    detail.code = "no-header";
    throw InputError(std::move(detail));
  }
}

}  // namespace lazylogit::io
