#include "lazylogit/io/columns/row_roles.hpp"

#include <cmath>
#include <limits>

#include "lazylogit/io/columns/cell.hpp"

namespace lazylogit::io {

ErrorDetail cell_error(std::string_view column, std::string_view found, std::string expected,
                       std::string code) {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.found = quote_text(found);
  detail.message = "column " + quote_text(column) + ": found " + detail.found + ", expected " + expected;
  detail.expected = std::move(expected);
  detail.code = std::move(code);
  return detail;
}

ErrorDetail no_logarithm(std::string_view column, std::string_view found, double floor) {
  const bool plain = floor == 0;
  ErrorDetail detail = cell_error(column, found,
                                  plain ? "a number above 0, which has a logarithm (--log)"
                                        : "a number above -1, for ln(1 + x) (--log1p)",
                                  "no-logarithm");
  if (plain) detail.hint = "--log1p takes ln(1 + x), for counts";
  return detail;
}

ErrorDetail limit_error(std::string message, std::string_view option) {
  ErrorDetail detail;
  detail.kind = ErrorKind::environment;
  detail.message = std::move(message);
  detail.hint = "--" + std::string(option) + " raises the limit";
  detail.code = "limit";
  return detail;
}

ErrorDetail field_too_long(std::string_view column, const ReadOptions& options) {
  return limit_error("column " + quote_text(column) + ": a value is longer than the limit of " +
                         std::to_string(options.limits.max_field_bytes) + " bytes",
                     "max-field-bytes");
}

ErrorDetail placed(ErrorDetail detail, const ErrorDetail& place) {
  detail.file = place.file;
  detail.line = place.line;
  detail.column = place.column;
  return detail;
}

RowRoles::Present roles_of(const TablePlan& plan) {
  return {.weight = plan.weight != no_column || plan.count != no_column,
          .offset = plan.offset != no_column,
          .id = plan.id != no_column};
}

void RowRoles::begin_row() {
  label_ = no_label;
  weight_ = 1;
  offset_ = 0;
  id_.clear();
}

std::optional<ErrorDetail> RowRoles::take(ColumnRole role, std::string_view column, std::string_view text,
                                          bool missing, RowBlock& rows) {
  if (text.size() > options_->limits.max_field_bytes && role != ColumnRole::target)
    return field_too_long(column, *options_);
  double number = 0;
  switch (role) {
    case ColumnRole::feature:
    case ColumnRole::ignored:
      break;
    case ColumnRole::target:
      return take_label(column, text, missing, rows);
    case ColumnRole::id:
      if (missing && !options_->choices.empty())
        return cell_error(column, text, "the choice that the row is a candidate of (--choices)", "no-choice");
      id_ = text;
      break;
    case ColumnRole::weight:
      if (missing || parse_cell_number(text, number) != NumberStatus::ok || number < 0)
        return cell_error(column, text, "a weight: a finite number, not negative", "bad-weight");
      weight_ *= number;
      break;
    case ColumnRole::count: {
      std::uint64_t count = 0;
      constexpr std::uint64_t exact = std::uint64_t{1} << 53;
      if (missing || parse_integer(trim_blanks(text), exact, count) != NumberStatus::ok)
        return cell_error(column, text, "a count: a whole number up to " + std::to_string(exact),
                          "bad-count");
      weight_ *= static_cast<double>(count);
      break;
    }
    case ColumnRole::offset:
      if (missing || parse_cell_number(text, number) != NumberStatus::ok)
        return cell_error(column, text, "an offset: a finite number", "bad-offset");
      offset_ = number;
      break;
  }
  if (!std::isfinite(weight_))
    return cell_error(column, text, "weight times count to be finite", "bad-weight");
  return std::nullopt;
}

std::optional<ErrorDetail> RowRoles::take_label(std::string_view column, std::string_view text, bool missing,
                                                RowBlock& rows) {
  const std::string_view trimmed = trim_blanks(text);
  missing = missing || trimmed.empty();  // a JSON string may hold nothing
  // No labels at all are as good as some, but a mark for "not known" is not.
  if (options_->response == data::Response::labels && trimmed.empty()) {
    label_ = rows.labels.intern({}).value_or(no_label);
    return std::nullopt;
  }
  if (missing) {
    if (!options_->labels_required) return std::nullopt;
    ErrorDetail detail =
        cell_error(column, text, "a label: a row without one cannot be learned from or judged", "no-label");
    if (!options_->skip_bad_rows) detail.hint = "--on-bad-row skip leaves such rows out";
    return detail;
  }
  double number = 0;
  if (trimmed.size() < text.size() && parse_number(trimmed, number) == NumberStatus::ok) text = trimmed;
  if (text.size() > options_->limits.max_name_bytes)
    return limit_error(
        "a label is longer than the limit of " + std::to_string(options_->limits.max_name_bytes) + " bytes",
        "max-name-bytes");
  const std::optional<std::uint32_t> label = rows.labels.intern(text);
  if (!label)
    return cell_error(column, text,
                      options_->response == data::Response::classes ? "a name or a finite number as label"
                                                                    : rows.labels.expected(),
                      "bad-label");
  label_ = *label;
  return std::nullopt;
}

void RowRoles::write(RowBlock& rows) const {
  if (present_.weight) rows.weights.push_back(weight_);
  if (present_.offset) rows.offsets.push_back(offset_);
  if (present_.id) rows.row_ids.push_back(id_);
}

}  // namespace lazylogit::io
