#include "lazylogit/io/formats/jsonl_applying.hpp"

#include "lazylogit/io/formats/jsonl_learning.hpp"
#include "lazylogit/io/formats/jsonl_lines.hpp"
#include "lazylogit/io/formats/jsonl_row.hpp"

namespace lazylogit::io {
namespace {

class JsonlApplier final : public JsonRowHandler {
 public:
  JsonlApplier(const JsonlApplication& application, const TextBlock& block, RowBlock& out)
      : application_(&application),
        block_(&block),
        out_(&out),
        reader_(application.columns.size(), application.options->limits.max_json_depth),
        scratch_(application.encoder.input().text),
        roles_(*application.options, application.present) {}

  void parse() {
    for_each_json_line(*block_, *out_, [this](std::string_view line) { return take_line(line); });
  }

  std::uint32_t find(std::string_view key, std::uint32_t expected) const override {
    if (expected < application_->columns.size() && application_->columns[expected].name == key)
      return application_->cell_of[expected];
    return application_->keys.find(key).value_or(no_column);
  }
  std::string_view name(std::uint32_t c) const override { return application_->columns[c].name; }
  bool is_ignored(std::uint32_t) const override { return false; }
  bool is_list(std::uint32_t c) const override {
    return application_->encoder.input().response == data::Response::labels &&
           application_->columns[c].role == ColumnRole::target;
  }
  bool is_sparse(std::uint32_t c) const override {
    const AppliedColumn& column = application_->columns[c];
    return column.role == ColumnRole::feature &&
           application_->encoder.column(column.feature).type == data::ColumnType::sparse;
  }
  void unknown_key(std::string_view key, JsonKind kind) override {
    if (application_->ignored.size() > 0 && application_->ignored.find(key)) return;
    out_->sightings.add_unknown(key, kind == JsonKind::object || kind == JsonKind::array);
  }
  void nested(std::uint32_t c, std::string_view key, double value) override {
    application_->encoder.nested(application_->columns[c].feature, key, value, scratch_, *out_);
  }

 private:
  bool take_line(std::string_view line) {
    roles_.begin_row();
    scratch_.missing.clear();
    const std::uint64_t unknown_before = out_->unknown_features;
    reader_.read(line, *this);
    bool drop = false;
    const char* last = line.data();  // the value that exceeds the limit, if one does
    for (std::uint32_t c = 0; c < application_->columns.size(); ++c) {
      const JsonCell* cell = reader_.cell(application_->cell_of[c]);
      if (cell != nullptr &&
          out_->ids.size() - out_->row_begin() <= application_->options->limits.max_row_features)
        last = cell->at();
      if (std::optional<ErrorDetail> error = take_cell(application_->columns[c], cell, drop)) {
        out_->unknown_features = unknown_before;
        return out_->reject(
            placed(std::move(*error), block_->place(cell == nullptr ? line.data() : cell->at())));
      }
    }
    if (drop) {
      application_->encoder.count_missing(scratch_, *out_);
      out_->unknown_features = unknown_before;
      out_->drop_row();
      return true;
    }
    switch (complete_encoded_row(roles_.label(), *out_)) {
      case RowEnd::too_long:
        throw row_too_long(block_->place(last), *application_->options);
      case RowEnd::overflow:
        return out_->reject(placed(float_overflow(), block_->place(line.data())));
      case RowEnd::ok:
      case RowEnd::repeated:
        break;
    }
    application_->encoder.count_missing(scratch_, *out_);
    roles_.write(*out_);
    return true;
  }

  std::optional<ErrorDetail> take_cell(const AppliedColumn& column, const JsonCell* cell, bool& drop) {
    const bool missing = cell == nullptr || cell->kind() == JsonKind::null;
    const bool nested =
        cell != nullptr && (cell->kind() == JsonKind::object || cell->kind() == JsonKind::array);
    const std::string_view text = cell == nullptr ? std::string_view() : cell->text();
    if (column.role != ColumnRole::feature) {
      if (cell == nullptr && (column.role == ColumnRole::id || !column.required)) return std::nullopt;
      if (nested) return cell_error(column.name, "{", "a plain value", "bad-type");
      return roles_.take(column.role, column.name, text, missing, *out_);
    }
    const ColumnEncoder& encoder = application_->encoder;
    const data::ColumnSpec& spec = encoder.column(column.feature);
    if (cell != nullptr) out_->sightings.keys[column.feature] = 1;
    if (spec.type == data::ColumnType::sparse) {
      if (cell == nullptr || nested) return std::nullopt;  // absent: zero
      return cell_error(column.name, text, "an object or an array of numbers, as in the training data",
                        "bad-type");
    }
    if (nested) return cell_error(column.name, "{", "a plain value, as in the training data", "bad-type");
    if (missing) {
      const data::MissingPolicy policy = encoder.input().missing;
      if (policy == data::MissingPolicy::error)
        return cell_error(column.name, text, "a value: the model was trained with --missing error",
                          "missing-value");
      if (policy == data::MissingPolicy::impute) {
        encoder.missing(column.feature, scratch_, *out_);
      } else {
        drop = true;
        scratch_.missing.push_back(static_cast<std::uint32_t>(column.feature));
      }
      return std::nullopt;
    }
    if (spec.type == data::ColumnType::numeric && cell->kind() != JsonKind::number)
      return cell_error(column.name, text, "a number, as in the training data", "bad-number");
    if (is_too_long(spec, text, *application_->options))
      return field_too_long(column.name, *application_->options);
    return encode_text(encoder, column.feature, text, scratch_, *out_);
  }

  const JsonlApplication* application_;
  const TextBlock* block_;
  RowBlock* out_;
  JsonRowReader reader_;
  ColumnEncoder::Scratch scratch_;
  RowRoles roles_;
};

}  // namespace

std::shared_ptr<const JsonlApplication> apply_to_jsonl(const FixedNames& names, const ReadOptions& options,
                                                       std::string_view first_lines) {
  auto application = std::make_shared<JsonlApplication>(
      JsonlApplication{{},
                       {},
                       ColumnEncoder(names),
                       &options,
                       options.precision == Precision::float32 ? Precision::float32 : Precision::float64,
                       {},
                       {},
                       {}});
  const data::Alphabet first_keys = glance_at_keys(first_lines, options).names;
  for (AppliedColumn& column : applied_columns(*names.input, options)) {
    const bool there = first_keys.find(column.name).has_value();
    if (column.role == ColumnRole::target || column.role == ColumnRole::feature || there || column.required)
      application->columns.push_back(std::move(column));
  }
  for (const AppliedColumn& column : application->columns) application->keys.append(column.name);
  application->keys.build_index();
  for (const AppliedColumn& column : application->columns)
    application->cell_of.push_back(*application->keys.find(column.name));
  for (const std::string& name : names.input->ignored) application->ignored.append(name);
  application->ignored.build_index();
  application->present = present_roles(application->columns);
  return application;
}

void parse_jsonl(const JsonlApplication& application, const TextBlock& block, RowBlock& out) {
  out.clear(*application.options, application.precision);
  out.sightings.file = block.file;
  out.sightings.keys.assign(application.encoder.num_columns(), 0);
  JsonlApplier(application, block, out).parse();
}

}  // namespace lazylogit::io
