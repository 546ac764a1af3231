#include "lazylogit/io/formats/delimited_applying.hpp"

#include <algorithm>

#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/formats/delimited_rows.hpp"

namespace lazylogit::io {
namespace {

// Drops optional columns that no file has; complains about required ones, and about those that only some
// files have.
void check_presence(DelimitedOutline& outline, std::vector<AppliedColumn>& columns,
                    const std::vector<Input>& inputs) {
  for (std::size_t c = columns.size(); c > 0; --c) {
    const AppliedColumn& column = columns[c - 1];
    std::size_t found = 0, absent_in = 0;
    for (std::size_t f = 0; f < inputs.size(); ++f) {
      if (outline.field_of[f][c - 1] != no_field)
        ++found;
      else
        absent_in = f;
    }
    if (found == inputs.size()) continue;
    if (column.required || found > 0)
      fail_unknown_column(column.name, column.why, outline.header[absent_in], {inputs[absent_in].name(), 1});
    const auto at = static_cast<std::ptrdiff_t>(c - 1);
    columns.erase(columns.begin() + at);
    outline.names.erase(outline.names.begin() + at);
    for (std::vector<std::uint32_t>& fields : outline.field_of) fields.erase(fields.begin() + at);
  }
}

// Columns of the first file that nobody asked for.
void report_unknown_columns(const DelimitedOutline& outline, const data::InputSpec& input, Log& log) {
  std::string list;
  std::size_t count = 0;
  for (const std::string& name : outline.header.front()) {
    const auto is = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (is(outline.names) || is(input.ignored)) continue;
    if (++count <= 8) list += (count == 1 ? "" : ", ") + quote_text(name);
  }
  if (count > 0)
    log.notice("columns that the model does not use: " + list +
               (count > 8 ? " and " + std::to_string(count - 8) + " more" : ""));
}

class BlockApplier {
 public:
  BlockApplier(const DelimitedApplication& application, const TextBlock& block, RowBlock& out)
      : application_(&application),
        block_(&block),
        out_(&out),
        scratch_(application.encoder.input().text),
        roles_(*application.options, present_roles(application.columns)),
        rows_(application.outline, block, out) {}

  void parse() {
    std::vector<Field> fields;
    while (rows_.next(fields))
      if (!take_row(fields)) break;
  }

 private:
  bool take_row(const std::vector<Field>& fields) {
    const std::vector<std::uint32_t>& field_of = application_->outline.field_of[block_->file_index];
    const ColumnEncoder& encoder = application_->encoder;
    const data::MissingPolicy policy = encoder.input().missing;
    out_->begin_row();
    roles_.begin_row();
    bool drop = false;
    for (std::size_t c = 0; c < application_->columns.size(); ++c) {
      const AppliedColumn& column = application_->columns[c];
      const Field& field = fields[field_of[c]];
      const std::string_view text = field_value(field, value_);
      const bool missing = is_missing_cell(text);
      std::optional<ErrorDetail> error;
      if (column.role != ColumnRole::feature) {
        error = roles_.take(column.role, column.name, text, missing, *out_);
      } else if (!missing) {
        error = is_too_long(encoder.column(column.feature), text, *application_->options)
                    ? field_too_long(column.name, *application_->options)
                    : encode_text(encoder, column.feature, text, scratch_, *out_);
      } else if (policy == data::MissingPolicy::error) {
        error = cell_error(column.name, text, "a value: the model was trained with --missing error",
                           "missing-value");
      } else if (policy == data::MissingPolicy::drop_row) {
        drop = true;
      } else {
        encoder.missing(column.feature, scratch_, *out_);
      }
      if (error) return out_->reject(placed(std::move(*error), rows_.place(field)));
    }
    if (drop) {
      out_->drop_row();
      return true;
    }
    switch (complete_encoded_row(roles_.label(), *out_)) {
      case RowEnd::too_long:
        throw row_too_long(rows_.place(fields[0]), *application_->options);
      case RowEnd::overflow:
        return out_->reject(placed(float_overflow(), rows_.place(fields[0])));
      case RowEnd::ok:
      case RowEnd::repeated:
        break;
    }
    roles_.write(*out_);
    return true;
  }

  const DelimitedApplication* application_;
  const TextBlock* block_;
  RowBlock* out_;
  ColumnEncoder::Scratch scratch_;
  RowRoles roles_;
  DelimitedRows rows_;
  std::string value_;
};

}  // namespace

std::shared_ptr<const DelimitedApplication> apply_to_tables(std::vector<Input>& inputs,
                                                            const FixedNames& names, Format format,
                                                            const ReadOptions& options, Log& log) {
  std::vector<AppliedColumn> columns = applied_columns(*names.input, options);
  std::vector<std::string> wanted;
  for (const AppliedColumn& column : columns) wanted.push_back(column.name);
  ReadOptions reading = options;
  reading.header = options.header && names.input->has_header;
  DelimitedOutline outline =
      outline_tables_for(inputs, wanted, format, reading, log, names.growing != nullptr);
  check_presence(outline, columns, inputs);
  report_unknown_columns(outline, *names.input, log);
  return std::make_shared<DelimitedApplication>(DelimitedApplication{
      std::move(outline), std::move(columns), ColumnEncoder(names), &options,
      options.precision == Precision::float32 ? Precision::float32 : Precision::float64});
}

void parse_delimited(const DelimitedApplication& application, const TextBlock& block, RowBlock& out) {
  out.clear(*application.options, application.precision);
  BlockApplier(application, block, out).parse();
}

}  // namespace lazylogit::io
