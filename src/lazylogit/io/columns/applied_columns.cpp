#include "lazylogit/io/columns/applied_columns.hpp"

#include <algorithm>

#include "lazylogit/io/columns/cell.hpp"

namespace lazylogit::io {

namespace {

// As in training, but for the id, which changes no prediction.
void refuse_second_roles(const std::vector<AppliedColumn>& columns) {
  for (const AppliedColumn& column : columns) {
    if (!column.is_asked || column.role == ColumnRole::id) continue;
    const auto other = std::find_if(columns.begin(), columns.end(), [&](const AppliedColumn& known) {
      return &known != &column && known.role != ColumnRole::id && known.name == column.name;
    });
    if (other == columns.end()) continue;
    throw ConfigError(
        "column " + quote_text(column.name) +
            (other->role == ColumnRole::feature ? " is a feature of the model" : " already has another role"),
        column.why.substr(2));
  }
}

}  // namespace

std::vector<AppliedColumn> applied_columns(const data::InputSpec& input, const ReadOptions& options) {
  std::vector<AppliedColumn> columns;
  const auto add_role = [&](ColumnRole role, const std::string& option_name, const std::string& asked,
                            const std::string& trained, bool required) {
    if (!asked.empty())
      columns.push_back({asked, role, 0, true, "--" + option_name, true});
    else if (!trained.empty())
      columns.push_back({trained, role, 0, required, "the model was trained with it as --" + option_name});
  };
  add_role(ColumnRole::target, "target", options.target, input.target, options.labels_required);
  add_role(ColumnRole::id, input.choices.column.empty() ? "id" : "choices", options.id, input.id, false);
  add_role(ColumnRole::weight, "weight", options.weight, input.weight, false);
  add_role(ColumnRole::count, "count", options.count, input.count, false);
  add_role(ColumnRole::offset, "offset", options.offset, input.offset, true);
  for (std::size_t c = 0; c < input.columns.size(); ++c)
    columns.push_back({input.columns[c].name, ColumnRole::feature, c, true, {}});
  if (input.choices.column.empty()) refuse_second_roles(columns);
  return columns;
}

RowRoles::Present present_roles(const std::vector<AppliedColumn>& columns) {
  RowRoles::Present present;
  for (const AppliedColumn& column : columns) {
    present.weight = present.weight || column.role == ColumnRole::weight || column.role == ColumnRole::count;
    present.offset = present.offset || column.role == ColumnRole::offset;
    present.id = present.id || column.role == ColumnRole::id;
  }
  return present;
}

ErrorDetail float_overflow() {
  ErrorDetail detail;
  detail.kind = ErrorKind::input;
  detail.message = "a value of the row is beyond the range of float32";
  detail.hint = "--precision float64 holds it";
  detail.code = "overflow";
  return detail;
}

std::optional<ErrorDetail> encode_text(const ColumnEncoder& encoder, std::size_t column,
                                       std::string_view text, ColumnEncoder::Scratch& scratch,
                                       RowBlock& out) {
  const data::ColumnSpec& spec = encoder.column(column);
  switch (spec.type) {
    case data::ColumnType::numeric: {
      double value = 0;
      switch (parse_cell_number(text, value)) {
        case NumberStatus::ok:
          if (!(value > encoder.above(column))) return no_logarithm(spec.name, text, encoder.above(column));
          encoder.number(column, value, out);
          break;
        case NumberStatus::malformed:
          return cell_error(spec.name, text, "a number, as in the training data", "bad-number");
        case NumberStatus::overflow:
          return cell_error(spec.name, text, "a number that a double can hold", "overflow");
      }
      break;
    }
    case data::ColumnType::categorical:
      encoder.category(column, text, scratch, out);
      break;
    case data::ColumnType::text:
      encoder.document(column, text, scratch, out);
      break;
    case data::ColumnType::sparse:
      return cell_error(spec.name, text, "an object or an array of numbers, as in the training data",
                        "bad-type");
  }
  return std::nullopt;
}

bool is_too_long(const data::ColumnSpec& column, std::string_view text, const ReadOptions& options) {
  return column.type != data::ColumnType::text && text.size() > options.limits.max_field_bytes;
}

RowEnd complete_encoded_row(std::uint32_t label, RowBlock& out) {
  const RowEnd end = out.end_row(label);
  if (end != RowEnd::repeated) return end;
  out.sum_repeated(label);  // hashed features that share a slot
  return RowEnd::ok;
}

}  // namespace lazylogit::io
