#include "lazylogit/io/formats/delimited_learning.hpp"

#include <cmath>
#include <unordered_set>
#include <utility>

#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/columns/number_lanes.hpp"
#include "lazylogit/io/columns/row_roles.hpp"
#include "lazylogit/io/formats/delimited_rows.hpp"
#include "lazylogit/io/formats/field_index.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;

class BlockParser {
 public:
  BlockParser(const DelimitedOutline& outline, const ReadOptions& options, const TextBlock& block,
              const TablePlan& plan, TableBlock& out)
      : outline_(&outline),
        options_(&options),
        block_(&block),
        plan_(&plan),
        out_(&out),
        writer_(plan, block, out),
        roles_(options, roles_of(plan)),
        rows_(outline, block, out.rows),
        index_(outline.dialect) {
    const std::vector<std::uint32_t>& field_of = outline.field_of[block.file_index];
    const std::vector<std::string>& header = outline.header[block.file_index];
    double number = 0;
    may_take_plain_rows_ =
        field_of.size() == header.size() && header.size() > 1 &&
        (!outline.has_header || parse_cell_number(header[0], number) == NumberStatus::malformed);
    for (std::size_t c = 0; c < field_of.size(); ++c)
      may_take_plain_rows_ = may_take_plain_rows_ && field_of[c] == c;
    for (const ColumnPlan& column : plan.columns)
      may_take_plain_rows_ = may_take_plain_rows_ && std::isinf(column.above);
    for (std::uint32_t c = 0; c < plan.columns.size(); ++c) {
      const ColumnPlan& column = plan.columns[c];
      is_number_.push_back(column.role == ColumnRole::feature && column.type == ColumnType::numeric ? 1 : 0);
      if (is_number_[c] != 0) number_columns_.push_back(c);
    }
    values_.resize(number_columns_.size() + number_group);
    taken_.resize(number_columns_.size() / number_group + 1);
  }

  void parse() {
    const std::size_t guess = block_->text().size() / 6;  // cells: a first size for the buffers
    out_->rows.ids.reserve(guess);
    out_->rows.values64.reserve(guess);
    std::vector<Field> fields;
    for (;;) {
      take_plain_rows();
      if (!rows_.next(fields) || !take_row(fields)) break;
    }
    writer_.finish();
  }

 private:
  // The short cut for rows without quotes and errors: where fields end is known in advance, and short numbers are
  // read many at a time. A row that is not of this kind leaves no trace and is taken the long way.
  void take_plain_rows() {
    if (!may_take_plain_rows_ || !rows_.is_plain()) return;
    RowBlock& rows = out_->rows;
    const char* const end = block_->text().data() + block_->text().size();
    const char* record = rows_.position();
    const std::size_t num_fields = plan_->columns.size();
    while (record < end && index_.seek(record, end, num_fields)) {
      if (!take_plain_row(record)) {
        rows.ids.resize(rows.row_begin());
        rows.values64.resize(rows.row_begin());
        break;
      }
      record = index_.mark(num_fields - 1) + 1;
      index_.skip(num_fields);
    }
    rows_.move_to(record);
  }

  bool take_plain_row(const char* record) {
    const char delimiter = outline_->dialect.delimiter;
    const std::size_t last = plan_->columns.size() - 1;
    writer_.begin_row();
    roles_.begin_row();
    if (*index_.mark(last) != '\n') return false;
    read_numbers_({record, index_.base(), index_.marks()}, number_columns_, values_.data(), taken_.data());
    std::size_t number = 0;  // place in number_columns_
    for (std::uint32_t c = 0; c <= last; ++c) {
      const char* const stop = index_.mark(c);
      if (c < last && *stop != delimiter) return false;
      if (is_number_[c] != 0) {
        const std::size_t i = number++;
        if ((taken_[i / number_group] >> i % number_group & 1) != 0) {
          writer_.number(c, values_[i]);
          continue;
        }
      }
      const char* const begin = c == 0 ? record : index_.mark(c - 1) + 1;
      const char* const field_end = c == last && stop > begin && stop[-1] == '\r' ? stop - 1 : stop;
      if (!take_plain_cell(c, {{begin, static_cast<std::size_t>(field_end - begin)}})) return false;
    }
    if (writer_.has_missing() && plan_->missing != data::MissingPolicy::impute) return false;
    if (writer_.num_entries() > options_->limits.max_row_features) return false;
    writer_.commit(roles_.label());
    roles_.write(out_->rows);
    return true;
  }

  bool take_plain_cell(std::uint32_t c, const Field& field) {
    const ColumnPlan& column = plan_->columns[c];
    if (c == 0 && outline_->has_header && field.text == outline_->header[block_->file_index][0]) return false;
    if (column.role == ColumnRole::ignored) return true;
    if (is_number_[c] != 0) {
      in_plain_row_ = true;
      take_number(c, field);
      in_plain_row_ = false;
      return std::exchange(row_is_good_, true);
    }
    if (column.role == ColumnRole::feature) return !take_text(c, field.text, field);
    return !roles_.take(column.role, column.name, field.text, is_missing_cell(field.text), out_->rows);
  }

  // False: stop.
  bool take_row(const std::vector<Field>& fields) {
    const std::vector<std::uint32_t>& field_of = outline_->field_of[block_->file_index];
    writer_.begin_row();
    roles_.begin_row();
    for (std::uint32_t c = 0; c < plan_->columns.size(); ++c) {
      const ColumnPlan& column = plan_->columns[c];
      const Field& field = fields[field_of[c]];
      if (column.role == ColumnRole::ignored) continue;
      if (column.role == ColumnRole::feature && column.type == ColumnType::numeric && !field.escaped) {
        if (!take_number(c, field)) return false;
        if (!row_is_good_) return rejected();
        continue;
      }
      const std::string_view text = field.escaped ? writer_.keep(field_value(field, scratch_)) : field.text;
      std::optional<ErrorDetail> error =
          column.role == ColumnRole::feature
              ? take_text(c, text, field)
              : roles_.take(column.role, column.name, text, is_missing_cell(text), out_->rows);
      if (error) return out_->rows.reject(placed(std::move(*error), rows_.place(field)));
    }
    if (writer_.has_missing() && plan_->missing != data::MissingPolicy::impute) return take_missing(fields);
    if (writer_.num_entries() > options_->limits.max_row_features)
      throw row_too_long(rows_.place(fields[0]), *options_);
    writer_.commit(roles_.label());
    roles_.write(out_->rows);
    return true;
  }

  bool rejected() {
    row_is_good_ = true;
    return true;
  }

  bool take_number(std::uint32_t c, const Field& field) {
    const std::string_view text = field.text;
    double value = 0;
    NumberStatus status = NumberStatus::malformed;
    const bool too_long = text.size() > options_->limits.max_field_bytes;
    if (too_long && parse_cell_number(text, value) != NumberStatus::malformed) {
      row_is_good_ = false;
      if (in_plain_row_) return true;  // the long way will say it
      return out_->rows.reject(placed(field_too_long(plan_->columns[c].name, *options_), rows_.place(field)));
    }
    if (!text.empty() &&
        scan_number(text.data(), text.data() + text.size(), value, status) == text.data() + text.size() &&
        status == NumberStatus::ok)
      return put_number(c, value, field);
    if (is_missing_cell(text)) {
      writer_.missing(c);
      return true;
    }
    status = parse_cell_number(text, value);
    if (status == NumberStatus::ok) return put_number(c, value, field);
    if (status == NumberStatus::malformed) {
      writer_.misfit(c, text, field_begin(field));
    } else {
      row_is_good_ = false;
      if (in_plain_row_) return true;  // the long way will say it
      return out_->rows.reject(
          placed(cell_error(plan_->columns[c].name, text, "a number that a double can hold", "overflow"),
                 rows_.place(field)));
    }
    return true;
  }

  bool put_number(std::uint32_t c, double value, const Field& field) {
    const ColumnPlan& column = plan_->columns[c];
    if (value > column.above) {
      writer_.number(c, value);
      return true;
    }
    row_is_good_ = false;
    return out_->rows.reject(placed(no_logarithm(column.name, field.text, column.above), rows_.place(field)));
  }

  std::optional<ErrorDetail> take_text(std::uint32_t c, std::string_view text, const Field& field) {
    if (is_missing_cell(text)) {
      writer_.missing(c);
      return std::nullopt;
    }
    const ColumnPlan& column = plan_->columns[c];
    const bool is_category = column.type == ColumnType::categorical;
    const std::uint64_t limit =
        is_category ? options_->limits.max_name_bytes : options_->limits.max_line_bytes;
    if (text.size() > limit)
      return limit_error("column " + quote_text(column.name) + ": a value is longer than the limit of " +
                             std::to_string(limit) + " bytes",
                         "max-name-bytes");
    if (column.type == ColumnType::numeric)
      writer_.misfit(c, text, field_begin(field));
    else
      writer_.text(c, text, field_begin(field));
    return std::nullopt;
  }

  bool take_missing(const std::vector<Field>& fields) {
    if (plan_->missing == data::MissingPolicy::drop_row) {
      out_->rows.drop_row();
      return true;
    }
    const std::uint32_t c = writer_.first_missing();
    const Field& field = fields[outline_->field_of[block_->file_index][c]];
    ErrorDetail detail =
        cell_error(plan_->columns[c].name, field.text, "a value, as --missing error asks", "missing-value");
    return out_->rows.reject(placed(std::move(detail), rows_.place(field)));
  }

  const DelimitedOutline* outline_;
  const ReadOptions* options_;
  const TextBlock* block_;
  const TablePlan* plan_;
  TableBlock* out_;
  TableWriter writer_;
  RowRoles roles_;
  DelimitedRows rows_;
  FieldIndex index_;
  std::vector<unsigned char> is_number_;  // per column
  std::vector<std::uint32_t> number_columns_;
  ReadNumbers read_numbers_ = number_reader();
  std::vector<double> values_;       // what it reads of a row
  std::vector<std::uint8_t> taken_;  // and where
  std::string scratch_;
  bool row_is_good_ = true;
  bool in_plain_row_ = false;
  bool may_take_plain_rows_ = false;
};

struct Glance {
  std::size_t present = 0, blanks = 0;
  bool numbers = true;
  std::unordered_set<std::string> distinct;
};

}  // namespace

void parse_delimited(const DelimitedOutline& outline, const ReadOptions& options, const TextBlock& block,
                     const TablePlan& plan, TableBlock& out) {
  out.clear(plan, options);
  BlockParser(outline, options, block, plan, out).parse();
}

void assume_types(const DelimitedOutline& outline, std::string_view first_records, TablePlan& plan) {
  std::vector<Glance> glances(plan.columns.size());
  std::vector<Field> fields;
  std::string scratch;
  bool header = outline.has_header;
  for (std::size_t from = 0; from < first_records.size();) {
    const RecordSplit split = split_record(first_records, from, outline.dialect, fields);
    if (split.status != RecordStatus::complete) break;
    from = split.next;
    if (header || fields.size() != plan.columns.size()) {
      header = false;
      continue;
    }
    if (from == first_records.size() && first_records.back() != '\n') break;  // maybe cut
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const std::string_view text = field_value(fields[c], scratch);
      if (is_missing_cell(text)) continue;
      Glance& glance = glances[c];
      double value = 0;
      ++glance.present;
      if (glance.numbers) glance.numbers = parse_cell_number(text, value) != NumberStatus::malformed;
      if (glance.numbers) continue;
      glance.blanks += text.find(' ') != std::string_view::npos ? 1 : 0;
      glance.distinct.emplace(text);
    }
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    ColumnPlan& column = plan.columns[c];
    if (column.role != ColumnRole::feature || column.type_is_given) continue;
    const Glance& glance = glances[c];
    if (glance.numbers)
      column.type = ColumnType::numeric;
    else if (glance.blanks * 2 > glance.present && glance.distinct.size() * 2 > glance.present)
      column.type = ColumnType::text;
    else
      column.type = ColumnType::categorical;
  }
  number_slots(plan);
}

}  // namespace lazylogit::io
