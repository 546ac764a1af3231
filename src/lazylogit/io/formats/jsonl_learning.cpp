#include "lazylogit/io/formats/jsonl_learning.hpp"

#include "lazylogit/io/columns/row_roles.hpp"
#include "lazylogit/io/formats/jsonl_lines.hpp"
#include "lazylogit/io/formats/jsonl_row.hpp"

namespace lazylogit::io {
namespace {

using data::ColumnType;

class JsonlParser final : public JsonRowHandler {
 public:
  JsonlParser(const ReadOptions& options, const TextBlock& block, const TablePlan& plan, TableBlock& out)
      : options_(&options),
        block_(&block),
        plan_(&plan),
        out_(&out),
        reader_(plan.columns.size(), options.limits.max_json_depth),
        writer_(plan, block, out),
        roles_(options, roles_of(plan)) {}

  void parse() {
    for_each_json_line(*block_, out_->rows, [this](std::string_view line) { return take_line(line); });
    out_->new_keys.truncate(num_kept_keys_);
    writer_.finish();
  }

  std::uint32_t find(std::string_view key, std::uint32_t expected) const override {
    if (expected < plan_->columns.size() && plan_->name(expected) == key) return expected;
    return plan_->names.find(key).value_or(no_column);
  }
  std::string_view name(std::uint32_t c) const override { return plan_->name(c); }
  bool is_list(std::uint32_t c) const override {
    return options_->response == data::Response::labels && plan_->columns[c].role == ColumnRole::target;
  }
  bool is_ignored(std::uint32_t c) const override { return plan_->columns[c].role == ColumnRole::ignored; }
  bool is_sparse(std::uint32_t c) const override {
    return plan_->columns[c].role == ColumnRole::feature && plan_->columns[c].type == ColumnType::sparse;
  }
  void unknown_key(std::string_view key, JsonKind kind) override {
    new_key_ = kind == JsonKind::object || kind == JsonKind::array ? '{' : '"';
    out_->new_keys.intern(new_key_ += key);
  }
  void nested(std::uint32_t column, std::string_view key, double value) override {
    writer_.nested(column, key, value);
  }

 private:
  bool take_line(std::string_view line) {
    out_->new_keys.truncate(num_kept_keys_);  // those of a line that was rejected do not count
    writer_.begin_row();
    roles_.begin_row();
    reader_.read(line, *this);
    for (std::uint32_t c = 0; c < plan_->columns.size(); ++c) {
      const ColumnPlan& column = plan_->columns[c];
      if (column.role == ColumnRole::ignored) continue;
      const JsonCell* cell = reader_.cell(c);
      if (is_plain_number(column, cell)) {
        writer_.number(c, cell->number());
        continue;
      }
      std::optional<ErrorDetail> error =
          column.role == ColumnRole::feature ? take_feature(c, cell) : take_role(c, cell);
      if (error)
        return out_->rows.reject(
            placed(std::move(*error), block_->place(cell == nullptr ? line.data() : cell->at())));
    }
    present_ += reader_.num_present();
    check_not_sparse(line);
    num_kept_keys_ = out_->new_keys.size();
    if (writer_.has_missing() && plan_->missing != data::MissingPolicy::impute) return take_missing(line);
    if (writer_.num_entries() > options_->limits.max_row_features)
      throw row_too_long(block_->place(excess_cell(line)), *options_);
    writer_.commit(roles_.label());
    roles_.write(out_->rows);
    return true;
  }

  // The value with which the open row has more than --max-row-features; the row is lost.
  const char* excess_cell(std::string_view line) {
    writer_.begin_row();
    const char* last = line.data();
    for (std::uint32_t c = 0; c < plan_->columns.size(); ++c) {
      const JsonCell* cell = reader_.cell(c);
      if (plan_->columns[c].role != ColumnRole::feature) continue;
      if (writer_.num_entries() > options_->limits.max_row_features) break;
      if (cell != nullptr) last = cell->at();
      if (is_plain_number(plan_->columns[c], cell))
        writer_.number(c, cell->number());
      else
        take_feature(c, cell);
    }
    return last;
  }

  // What most cells are: take_feature has the others.
  bool is_plain_number(const ColumnPlan& column, const JsonCell* cell) const noexcept {
    return cell != nullptr && cell->kind() == JsonKind::number && column.role == ColumnRole::feature &&
           column.type == ColumnType::numeric && cell->number() > column.above &&
           cell->size() <= options_->limits.max_field_bytes;
  }

  std::optional<ErrorDetail> take_role(std::uint32_t c, const JsonCell* cell) {
    const ColumnPlan& column = plan_->columns[c];
    if (cell == nullptr && column.role == ColumnRole::id) return std::nullopt;
    if (cell != nullptr && (cell->kind() == JsonKind::object || cell->kind() == JsonKind::array)) {
      ErrorDetail detail = cell_error(plan_->name(c), cell->kind() == JsonKind::object ? "{" : "[",
                                      "a plain value", "bad-type");
      if (column.role == ColumnRole::target && cell->kind() == JsonKind::array)
        detail.hint = "--multilabel takes an array as a set of labels";
      return detail;
    }
    const bool missing = cell == nullptr || cell->kind() == JsonKind::null;
    return roles_.take(column.role, plan_->name(c), cell == nullptr ? std::string_view() : cell->text(),
                       missing, out_->rows);
  }

  std::optional<ErrorDetail> take_feature(std::uint32_t c, const JsonCell* cell) {
    const ColumnPlan& column = plan_->columns[c];
    if (column.type == ColumnType::sparse) {
      if (cell == nullptr || cell->kind() == JsonKind::object || cell->kind() == JsonKind::array)
        return std::nullopt;
      return cell_error(plan_->name(c), cell->text(), "an object or an array of numbers, as in other rows",
                        "bad-type");
    }
    const JsonKind kind = cell == nullptr ? JsonKind::null : cell->kind();
    if (kind == JsonKind::null) {
      writer_.missing(c);
      return std::nullopt;
    }
    if (kind == JsonKind::object || kind == JsonKind::array) {
      writer_.nested_misfit(c, cell->at());
      if (column.type != ColumnType::numeric) writer_.missing(c);
      return std::nullopt;
    }
    const bool is_number = kind == JsonKind::number;
    if (column.type == ColumnType::numeric) {
      if (is_number && cell->size() > options_->limits.max_field_bytes)
        return field_too_long(plan_->name(c), *options_);
      if (is_number) return no_logarithm(plan_->name(c), cell->text(), column.above);
      writer_.misfit(c, cell->text(), cell->at());
      return std::nullopt;
    }
    const bool is_category = column.type == ColumnType::categorical;
    if (is_category && cell->text().size() > options_->limits.max_name_bytes)
      return limit_error("key " + quote_text(plan_->name(c)) + ": a value is longer than the limit of " +
                             std::to_string(options_->limits.max_name_bytes) + " bytes",
                         "max-name-bytes");
    writer_.text(c, cell->text(), cell->at(), !is_number);
    return std::nullopt;
  }

  // An absent key is a missing value, and those are stored: refuse tables that would be almost nothing else.
  void check_not_sparse(std::string_view line) {
    absent_ += plan_->columns.size() - reader_.num_present();
    constexpr std::uint64_t many = std::uint64_t{4} << 20, factor = 50;
    if (absent_ < many || absent_ < factor * present_) return;
    ErrorDetail detail = block_->place(line.data());
    detail.message = "there are " + std::to_string(plan_->columns.size()) +
                     " keys, and rows have few of them; absent ones would all be missing values";
    detail.hint = "put sparse features into one nested object, where absent means zero";
    detail.code = "too-sparse";
    throw InputError(std::move(detail));
  }

  bool take_missing(std::string_view line) {
    if (plan_->missing == data::MissingPolicy::drop_row) {
      out_->rows.drop_row();
      return true;
    }
    const std::uint32_t c = writer_.first_missing();
    const JsonCell* cell = reader_.cell(c);
    ErrorDetail detail = cell_error(plan_->name(c), cell == nullptr ? "" : cell->text(),
                                    "a value, as --missing error asks", "missing-value");
    return out_->rows.reject(
        placed(std::move(detail), block_->place(cell == nullptr ? line.data() : cell->at())));
  }

  const ReadOptions* options_;
  const TextBlock* block_;
  const TablePlan* plan_;
  TableBlock* out_;
  JsonRowReader reader_;
  TableWriter writer_;
  RowRoles roles_;
  std::string new_key_;
  std::size_t num_kept_keys_ = 0;
  std::uint64_t present_ = 0, absent_ = 0;
};

// Reads a line and keeps nothing of it.
class NothingKept final : public JsonRowHandler {
 public:
  std::uint32_t find(std::string_view, std::uint32_t) const override { return no_column; }
  std::string_view name(std::uint32_t) const override { return {}; }
  bool is_ignored(std::uint32_t) const override { return false; }
  bool is_sparse(std::uint32_t) const override { return false; }
  void unknown_key(std::string_view, JsonKind) override {}
  void nested(std::uint32_t, std::string_view, double) override {}
};

// Collects keys and what their values look like.
class Glancer final : public JsonRowHandler {
 public:
  std::uint32_t find(std::string_view, std::uint32_t) const override { return no_column; }
  std::string_view name(std::uint32_t) const override { return {}; }
  bool is_ignored(std::uint32_t) const override { return false; }
  bool is_sparse(std::uint32_t) const override { return false; }
  void unknown_key(std::string_view key, JsonKind kind) override {
    const FeatureId place = found.names.intern(key);
    const bool is_new = place == found.columns.size();
    if (is_new) found.columns.emplace_back();
    ColumnPlan& column = found.columns[place];
    if (kind == JsonKind::object || kind == JsonKind::array) {
      if (!is_new && !column.type_is_given) return;  // plain before: the passes say what is wrong
      column.type = ColumnType::sparse;
      column.type_is_given = true;
    } else if ((kind == JsonKind::string || kind == JsonKind::boolean) &&
               column.type == ColumnType::numeric) {
      column.type = ColumnType::categorical;
    }
  }
  void nested(std::uint32_t, std::string_view, double) override {}

  TableColumns found;
};

}  // namespace

ErrorDetail json_error(const TextBlock& block, const JsonFault& fault) {
  ErrorDetail detail = block.place(fault.at);
  detail.kind = fault.is_limit ? ErrorKind::environment : ErrorKind::input;
  detail.message = fault.message;
  detail.hint = fault.is_limit ? "--max-json-depth raises the limit" : fault.hint;
  detail.code = fault.is_limit ? "limit" : "bad-json";
  return detail;
}

void parse_jsonl(const ReadOptions& options, const TextBlock& block, const TablePlan& plan, TableBlock& out) {
  out.clear(plan, options);
  JsonlParser(options, block, plan, out).parse();
}

TableColumns glance_at_keys(std::string_view first_lines, const ReadOptions& options) {
  Glancer glancer;
  NothingKept nothing_kept;
  // The reader looks ahead of numbers: give it room behind the text.
  const std::size_t size = first_lines.size();
  std::string text;
  text.reserve(size + 64);
  text.append(first_lines).append(64, '\0');
  JsonRowReader reader(0, options.limits.max_json_depth);
  for (std::size_t from = 0; from < size;) {
    const std::size_t end = std::min(text.find('\n', from), size);
    std::string_view line = std::string_view(text).substr(from, end - from);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    from = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    // The passes over the data refuse bad lines; where these are skipped, they have no keys either.
    try {
      if (find_bad_byte(line) != nullptr) throw JsonFault{line.data(), {}};
      if (options.skip_bad_rows) reader.read(line, nothing_kept);
      reader.read(line, glancer);
    } catch (const JsonFault&) {
      if (!options.skip_bad_rows) break;
    }
  }
  glancer.found.names.build_index();  // also where there is no key
  glancer.found.columns.shrink_to_fit();
  return std::move(glancer.found);
}

}  // namespace lazylogit::io
