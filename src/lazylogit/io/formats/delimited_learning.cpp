#include "lazylogit/io/formats/delimited_learning.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/io/columns/cell.hpp"
#include "lazylogit/io/columns/number_lanes.hpp"
#include "lazylogit/io/columns/row_roles.hpp"
#include "lazylogit/io/columns/short_number.hpp"
#include "lazylogit/io/formats/delimited_rows.hpp"
#include "lazylogit/io/formats/field_index.hpp"
#include "lazylogit/io/formats/short_names.hpp"

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
    const HeaderMark& header = outline.header[block.file_index];
    double number = 0;
    may_take_plain_rows_ =
        field_of.size() == header.num_fields && header.num_fields > 1 &&
        (!outline.has_header || parse_cell_number(header.first, number) == NumberStatus::malformed);
    for (std::size_t c = 0; c < field_of.size(); ++c)
      may_take_plain_rows_ = may_take_plain_rows_ && field_of[c] == c;
    for (const ColumnPlan& column : plan.columns) {
      may_take_plain_rows_ = may_take_plain_rows_ && std::isinf(column.above);
      const bool is_feature = column.role == ColumnRole::feature;
      is_number_.push_back(is_feature && column.type == ColumnType::numeric ? 1 : 0);
      is_named_.push_back(
          (is_feature && column.type == ColumnType::categorical) ||
                  (column.role == ColumnRole::target && options.response != data::Response::number)
              ? 1
              : 0);
    }
    find_runs();
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
    note_varied();
    writer_.finish();
  }

 private:
  // Consecutive columns of numbers.
  struct Run {
    std::uint32_t first, count;
    std::size_t seen;  // its first group in seen_
  };

  void find_runs() {
    constexpr std::uint32_t shortest = 3;  // below that, one by one is as fast
    const auto num_columns = static_cast<std::uint32_t>(is_number_.size());
    for (std::uint32_t c = 0, first = 0; c < num_columns; first = ++c) {
      while (c < num_columns && is_number_[c] != 0) ++c;
      if (c - first < shortest) continue;
      runs_.push_back({first, c - first, seen_.size()});
      seen_.resize(seen_.size() + (c - first + number_group - 1) / number_group);
    }
    runs_.push_back({no_column, 0, 0});
  }

  void note_varied() {
    for (const Run& run : runs_)
      for (std::uint32_t i = 0; i < run.count; ++i)
        if ((seen_[run.seen + i / number_group].varied >> i % number_group & 1) != 0)
          out_->facts[run.first + i].varied = true;
  }

  // The short cut for rows without quotes and errors: where fields end is known in advance, and short numbers are
  // read many at a time. A row that is not of this kind leaves no trace and is taken the long way.
  void take_plain_rows() {
    if (!may_take_plain_rows_ || !rows_.is_plain()) return;
    RowBlock& rows = out_->rows;
    const char* const end = block_->text().data() + block_->text().size();
    const char* record = rows_.position();
    const std::size_t num_fields = plan_->columns.size();
    const std::size_t last = num_fields - 1;
    // The numbers of a record are looked at with the eight bytes before it.
    while (record < end && record - block_->text().data() >= 8 && index_.seek(record, end, num_fields) &&
           index_.is_plain_row(num_fields) && !is_byte_order_mark(record)) {
      const int carriage_return = index_.mark(last)[-1] == '\r' ? 1 : 0;
      index_.move_mark(last, -carriage_return);
      const bool is_taken = take_plain_row(record);
      index_.move_mark(last, carriage_return);
      if (!is_taken) {
        rows.ids.resize(rows.row_begin());
        rows.values64.resize(rows.row_begin());
        break;
      }
      record = index_.mark(last) + 1;
      index_.skip(num_fields);
    }
    rows_.move_to(record);
  }

  bool take_plain_row(const char* record) {
    writer_.begin_row();
    roles_.begin_row();
    const Run* run = runs_.data();
    for (std::uint32_t c = 0; c < plan_->columns.size();) {
      if (c == run->first) {
        if (!take_run(*run)) return false;
        c += run++->count;
        continue;
      }
      const char* const begin = c == 0 ? record : index_.mark(c - 1) + 1;
      const std::string_view text(begin, static_cast<std::size_t>(index_.mark(c) - begin));
      double value = 0;
      if (is_number_[c] != 0 && read_short_number(begin, text.size(), value))
        writer_.number(c, value);
      else if (is_named_[c] != 0 && text.size() <= ShortNames::longest) {
        if (!take_short_name(c, text)) return false;
      } else if (!take_plain_cell(c, {text}))
        return false;
      ++c;
    }
    if (writer_.has_missing() && plan_->missing != data::MissingPolicy::impute) return false;
    if (writer_.num_entries() > options_->limits.max_row_features) return false;
    writer_.commit(roles_.label());
    roles_.write(out_->rows);
    return true;
  }

  bool take_short_name(std::uint32_t c, std::string_view text) {
    const ShortNames::Key key = ShortNames::key_of(c, text);
    const bool is_label = c == plan_->target;
    if (const std::uint32_t* const id = names_.find(key)) {
      if (is_label)
        roles_.set_label(*id);
      else
        writer_.category(*id, text.data());
      return true;
    }
    if (!take_plain_cell(c, {text})) return false;
    if (is_label) {
      if (roles_.label() != no_label) names_.put(key, roles_.label());
    } else if (const std::optional<std::uint32_t> code = writer_.last_category(c)) {
      names_.put(key, *code);
    }
    return true;
  }

  bool take_run(const Run& run) {
    NumberFields fields = {index_.base(), index_.marks() + run.first, run.first, run.count};
    SeenNumbers* seen = seen_.data() + run.seen;
    StoppedGroup group;
    for (;;) {
      NumberEntries entries = writer_.entries();
      const std::uint32_t at = take_numbers_(fields, seen, entries, group);
      writer_.set_entries(entries);
      seen += at / number_group;
      fields = {fields.base, fields.ends + at, fields.column + at, fields.count - at};
      if (fields.count == 0) return true;
      const std::uint32_t count = std::min<std::uint32_t>(number_group, fields.count);
      if (!take_group(fields, count, group, *seen++)) return false;
      fields = {fields.base, fields.ends + count, fields.column + count, fields.count - count};
    }
  }

  // The fields of a group one by one.
  bool take_group(const NumberFields& fields, std::uint32_t count, const StoppedGroup& group,
                  SeenNumbers& seen) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t c = fields.column + i;
      const char* const begin = fields.base + (fields.ends[static_cast<std::ptrdiff_t>(i) - 1] + 1);
      if ((group.taken >> i & 1) != 0)
        writer_.number(c, group.values[i]);
      else if (!take_plain_cell(c, {{begin, static_cast<std::size_t>(fields.base + fields.ends[i] - begin)}}))
        return false;
      if (!out_->facts[c].has_number) continue;
      seen.first[i] = out_->facts[c].first;
      seen.known = static_cast<std::uint8_t>(seen.known | 1U << i);
    }
    return true;
  }

  bool take_plain_cell(std::uint32_t c, const Field& field) {
    const ColumnPlan& column = plan_->columns[c];
    if (c == 0 && rows_.starts_as_header(field.text)) return false;
    if (column.role == ColumnRole::ignored) return true;
    if (is_number_[c] != 0) {
      in_plain_row_ = true;
      take_number(c, field);
      in_plain_row_ = false;
      return std::exchange(row_is_good_, true);
    }
    if (column.role == ColumnRole::feature) return !take_text(c, field.text, field);
    return !roles_.take(column.role, plan_->name(c), field.text, is_missing_cell(field.text), out_->rows);
  }

  // False: stop.
  bool take_row(const std::vector<Field>& fields) {
    const std::vector<std::uint32_t>& field_of = outline_->field_of[block_->file_index];
    writer_.begin_row();
    roles_.begin_row();
    const Field* last = nullptr;  // the one that exceeds the limit, if one does
    for (std::uint32_t c = 0; c < plan_->columns.size(); ++c) {
      const ColumnPlan& column = plan_->columns[c];
      const Field& field = fields[field_of[c]];
      if (writer_.num_entries() <= options_->limits.max_row_features) last = &field;
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
              : roles_.take(column.role, plan_->name(c), text, is_missing_cell(text), out_->rows);
      if (error) return out_->rows.reject(placed(std::move(*error), rows_.place(field)));
    }
    if (writer_.has_missing() && plan_->missing != data::MissingPolicy::impute) return take_missing(fields);
    if (writer_.num_entries() > options_->limits.max_row_features)
      throw row_too_long(rows_.place(*last), *options_);
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
      return out_->rows.reject(placed(field_too_long(plan_->name(c), *options_), rows_.place(field)));
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
          placed(cell_error(plan_->name(c), text, "a number that a double can hold", "overflow"),
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
    return out_->rows.reject(
        placed(no_logarithm(plan_->name(c), field.text, column.above), rows_.place(field)));
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
      return limit_error("column " + quote_text(plan_->name(c)) + ": a value is longer than the limit of " +
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
        cell_error(plan_->name(c), field.text, "a value, as --missing error asks", "missing-value");
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
  std::vector<unsigned char> is_number_, is_named_;  // per column; categories and labels are named
  ShortNames names_;
  std::vector<Run> runs_;  // the last one is none
  std::vector<SeenNumbers> seen_;
  TakeNumbers take_numbers_ = number_taker();
  std::string scratch_;
  bool row_is_good_ = true, in_plain_row_ = false;
  bool may_take_plain_rows_ = false;
};

}  // namespace

void parse_delimited(const DelimitedOutline& outline, const ReadOptions& options, const TextBlock& block,
                     const TablePlan& plan, TableBlock& out) {
  out.clear(plan, options);
  BlockParser(outline, options, block, plan, out).parse();
}

}  // namespace lazylogit::io
