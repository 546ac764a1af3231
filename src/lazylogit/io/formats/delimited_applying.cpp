#include "lazylogit/io/formats/delimited_applying.hpp"

#include <algorithm>

#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/columns/name_list.hpp"
#include "lazylogit/io/columns/short_number.hpp"
#include "lazylogit/io/formats/delimited_quick.hpp"
#include "lazylogit/io/formats/delimited_rows.hpp"
#include "lazylogit/io/formats/field_index.hpp"

namespace lazylogit::io {
namespace {

// Drops optional columns that no file has; complains about required ones, and about those that only some
// files have.
void check_presence(DelimitedOutline& outline, std::vector<AppliedColumn>& columns,
                    std::vector<Input>& inputs, const ReadOptions& options) {
  std::size_t kept = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t found = 0, absent_in = 0;
    for (std::size_t f = 0; f < inputs.size(); ++f) {
      if (outline.field_of[f][c] != no_field)
        ++found;
      else
        absent_in = f;
    }
    if (found < inputs.size() && (columns[c].required || found > 0))
      fail_unknown_column(columns[c].name, columns[c].why.empty() ? "a feature of the model" : columns[c].why,
                          header_names(inputs[absent_in], outline, options), {inputs[absent_in].name(), 1});
    if (found == 0) continue;
    for (std::vector<std::uint32_t>& fields : outline.field_of) fields[kept] = fields[c];
    if (kept < c) columns[kept] = std::move(columns[c]);
    ++kept;
  }
  columns.resize(kept);
  for (std::vector<std::uint32_t>& fields : outline.field_of) fields.resize(kept);
}

// Columns of the first file that nobody asked for.
void report_unknown_columns(const DelimitedOutline& outline, const std::vector<AppliedColumn>& columns,
                            const data::InputSpec& input, Input& first, const ReadOptions& options,
                            Log& log) {
  NameList unused;
  data::Alphabet known;
  for (const AppliedColumn& column : columns) known.append(column.name);
  for (const std::string& name : input.ignored) known.append(name);
  known.build_index();
  for (const std::string& name : header_names(first, outline, options)) {
    if (!known.find(name)) unused.add(name);
  }
  if (unused.size() > 0) log.notice("columns that the model does not use: " + unused.text());
}

class BlockApplier {
 public:
  BlockApplier(const DelimitedApplication& application, const TextBlock& block, RowBlock& out)
      : application_(&application),
        block_(&block),
        out_(&out),
        scratch_(application.encoder.input().text),
        roles_(*application.options, present_roles(application.columns)),
        rows_(application.outline, block, out),
        index_(application.outline.dialect) {
    if (application.is_stream)
      quick_.emplace(application.encoder, application.columns, application.outline.field_of[block.file_index],
                     *application.options);
    const HeaderMark& header = application.outline.header[block.file_index];
    double number = 0;
    may_take_plain_rows_ =
        header.num_fields > 1 && (!application.outline.has_header ||
                                  parse_cell_number(header.first, number) == NumberStatus::malformed);
  }

  void parse() {
    std::vector<Field> fields;
    for (;;) {
      take_plain_rows();
      if (!rows_.next(fields) || !take_row(fields)) break;
    }
  }

 private:
  // The short cut for rows without quotes, missing cells and errors, as in delimited_learning.cpp. Features are added in
  // the same order as on the long way.
  void take_plain_rows() {
    if (!may_take_plain_rows_ || !rows_.is_plain()) return;
    const char* const end = block_->text().data() + block_->text().size();
    const char* record = rows_.position();
    const std::size_t num_fields = application_->outline.header[block_->file_index].num_fields;
    const bool may_be_quick = quick_ && quick_->fit(*out_);
    while (record < end && index_.seek(record, end, num_fields) && index_.is_plain_row(num_fields) &&
           !is_byte_order_mark(record)) {
      const std::uint64_t unknown_before = out_->unknown_features;
      const bool is_quick =
          may_be_quick && record - block_->text().data() >= 8 && take_quickly(record, num_fields);
      if (!is_quick && !take_plain_row(record, num_fields)) {
        out_->drop_row();  // it is taken again
        --out_->dropped_rows;
        out_->unknown_features = unknown_before;
        break;
      }
      record = index_.mark(num_fields - 1) + 1;
      index_.skip(num_fields);
    }
    rows_.move_to(record);
  }

  // The first field is that of the header.
  bool may_be_header(const char* record) const {
    const DelimitedOutline& outline = application_->outline;
    const std::string& first = outline.header[block_->file_index].first;
    return outline.has_header && (first.empty() || *record == first[0]) &&
           std::string_view(record, static_cast<std::size_t>(index_.mark(0) - record)) == first;
  }

  // False: nothing has happened.
  bool take_quickly(const char* record, std::size_t num_fields) {
    out_->begin_row();
    roles_.begin_row();
    const int carriage_return = index_.mark(num_fields - 1)[-1] == '\r' ? 1 : 0;
    index_.move_mark(num_fields - 1, -carriage_return);
    bool is_taken = !may_be_header(record) && quick_->take(index_, roles_, *out_);
    index_.move_mark(num_fields - 1, carriage_return);
    if (is_taken) {
      const RowEnd end = out_->end_plain_row(roles_.label(), quick_->is_ones());
      is_taken =
          end == RowEnd::ok || (end == RowEnd::repeated && out_->sum_repeated(roles_.label()) == RowEnd::ok);
    }
    if (is_taken) roles_.write(*out_);
    out_->ids.resize(is_taken ? out_->ids.size() : out_->row_begin());
    out_->values64.resize(out_->ids.size());
    return is_taken;
  }

  bool take_plain_row(const char* record, std::size_t num_fields) {
    out_->begin_row();
    roles_.begin_row();
    if (may_be_header(record)) return false;
    const std::vector<std::uint32_t>& field_of = application_->outline.field_of[block_->file_index];
    for (std::size_t c = 0; c < application_->columns.size(); ++c) {
      const std::size_t f = field_of[c];
      const char* const from = f == 0 ? record : index_.mark(f - 1) + 1;
      const char* to = index_.mark(f);
      if (f + 1 == num_fields && to > from && to[-1] == '\r') --to;
      if (!take_plain_cell(application_->columns[c], {from, static_cast<std::size_t>(to - from)}))
        return false;
    }
    if (complete_encoded_row(roles_.label(), *out_) != RowEnd::ok) return false;
    roles_.write(*out_);
    return true;
  }

  bool take_plain_cell(const AppliedColumn& column, std::string_view text) {
    const ColumnEncoder& encoder = application_->encoder;
    if (column.role != ColumnRole::feature)
      return !roles_.take(column.role, column.name, text, is_missing_cell(text), *out_);
    const data::ColumnType type = encoder.column(column.feature).type;
    if (type == data::ColumnType::numeric) {
      double value = 0;
      if (!read_short_number(text.data(), text.size(), value) || !(value > encoder.above(column.feature)))
        return !is_missing_cell(text) && !encode_text(encoder, column.feature, text, scratch_, *out_);
      encoder.number(column.feature, value, *out_);
      return true;
    }
    if (is_missing_cell(text) || is_too_long(encoder.column(column.feature), text, *application_->options))
      return false;
    if (type != data::ColumnType::categorical)
      return !encode_text(encoder, column.feature, text, scratch_, *out_);
    encoder.category(column.feature, text, scratch_, *out_);
    return true;
  }

  bool take_row(const std::vector<Field>& fields) {
    const std::vector<std::uint32_t>& field_of = application_->outline.field_of[block_->file_index];
    const ColumnEncoder& encoder = application_->encoder;
    const data::MissingPolicy policy = encoder.input().missing;
    out_->begin_row();
    roles_.begin_row();
    scratch_.missing.clear();
    bool drop = false;
    const Field* last = &fields[0];  // the one that exceeds the limit, if one does
    for (std::size_t c = 0; c < application_->columns.size(); ++c) {
      const AppliedColumn& column = application_->columns[c];
      const Field& field = fields[field_of[c]];
      if (out_->ids.size() - out_->row_begin() <= application_->options->limits.max_row_features)
        last = &field;
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
        scratch_.missing.push_back(static_cast<std::uint32_t>(column.feature));
      } else {
        encoder.missing(column.feature, scratch_, *out_);
      }
      if (error) return out_->reject(placed(std::move(*error), rows_.place(field)));
    }
    if (drop) {
      encoder.count_missing(scratch_, *out_);
      out_->drop_row();
      return true;
    }
    switch (complete_encoded_row(roles_.label(), *out_)) {
      case RowEnd::too_long:
        throw row_too_long(rows_.place(*last), *application_->options);
      case RowEnd::overflow:
        return out_->reject(placed(float_overflow(), rows_.place(fields[0])));
      case RowEnd::ok:
      case RowEnd::repeated:
        break;
    }
    encoder.count_missing(scratch_, *out_);
    roles_.write(*out_);
    return true;
  }

  const DelimitedApplication* application_;
  const TextBlock* block_;
  RowBlock* out_;
  ColumnEncoder::Scratch scratch_;
  RowRoles roles_;
  DelimitedRows rows_;
  FieldIndex index_;
  std::optional<QuickRows> quick_;
  bool may_take_plain_rows_ = false;
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
  check_presence(outline, columns, inputs, reading);
  report_unknown_columns(outline, columns, *names.input, inputs.front(), reading, log);
  return std::make_shared<DelimitedApplication>(
      DelimitedApplication{std::move(outline), std::move(columns), ColumnEncoder(names), &options,
                           options.precision == Precision::float32 ? Precision::float32 : Precision::float64,
                           names.growing != nullptr});
}

void parse_delimited(const DelimitedApplication& application, const TextBlock& block, RowBlock& out) {
  out.clear(*application.options, application.precision);
  out.sightings.file = block.file;
  BlockApplier(application, block, out).parse();
}

}  // namespace lazylogit::io
