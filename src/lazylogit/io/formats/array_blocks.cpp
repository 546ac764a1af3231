#include "lazylogit/io/formats/array_blocks.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/standard_input.hpp"

namespace lazylogit::io {
namespace {

constexpr std::size_t block_rows = 4096;
constexpr std::size_t block_entries = std::size_t{1} << 18;

}  // namespace

ColumnIds::ColumnIds(const std::optional<int>& hash_bits, int index_base)
    : mode_(hash_bits ? FeatureMode::hashed : FeatureMode::indexed),
      resolver_(NameResolver::learning(hash_bits)),
      index_base_(index_base) {}

ColumnIds::ColumnIds(const FixedNames& names)
    : resolver_(NameResolver::fixed(names)), index_base_(names.input->index_base) {
  mode_ = resolver_.mode();
  if (mode_ == FeatureMode::fixed) lookup_ = std::make_shared<IndexLookup>(*names.features, index_base_);
}

std::optional<std::uint32_t> ColumnIds::find(std::uint32_t column, RowBlock& block) const {
  if (mode_ == FeatureMode::indexed) return column;
  if (mode_ == FeatureMode::fixed) {
    const std::uint32_t id = lookup_->find(column);
    if (id != IndexLookup::unknown) return id;
    ++block.unknown_features;
    return std::nullopt;
  }
  char name[24];
  const char* const end = std::to_chars(name, name + sizeof name, std::int64_t{column} + index_base_).ptr;
  return resolver_.resolve({name, static_cast<std::size_t>(end - name)}, block);
}

ArrayBlocks::ArrayBlocks(std::vector<Input>& inputs, Format format, OpenArray open, ColumnIds ids,
                         const ReadOptions& options, Log& log, const CancelToken& cancel)
    : inputs_(&inputs),
      open_(std::move(open)),
      ids_(std::move(ids)),
      options_(&options),
      log_(&log),
      cancel_(cancel),
      precision_(effective_precision(options, find_format(format))) {
  if (!options.labels_file.empty())
    labels_ = load_labels(options.labels_file, options.limits, options.response);
}

bool ArrayBlocks::open_next() {
  if (next_input_ == inputs_->size()) {
    if (labels_ && labels_->size() != rows_before_)
      throw InputError(
          {.message = fmt::format("there {} {} for {}", is_or_are(labels_->size()),
                                  counted(labels_->size(), "label"), counted(rows_before_, "row")),
           .file = input_name(options_->labels_file),
           .code = "label-count"});
    return false;
  }
  Input& input = (*inputs_)[next_input_++];
  current_ = open_(input, *options_);
  row_ = 0;
  check_counts(input);
  return true;
}

void ArrayBlocks::check_counts(const Input& input) {
  const std::uint64_t rows = current_.rows->num_rows(), columns = current_.rows->num_columns();
  if (num_columns_ && *num_columns_ != columns)
    throw InputError({.message = fmt::format("the matrix has {}, the one before it {}",
                                             counted(columns, "column"), *num_columns_),
                      .file = input.name(),
                      .code = "column-count"});
  num_columns_ = columns;
  if (labels_ && labels_->size() - rows_before_ < rows)
    throw InputError({.message = fmt::format("there {} {} for at least {} of {}", is_or_are(labels_->size()),
                                             counted(labels_->size(), "label"),
                                             counted(rows_before_ + rows, "row"), quote_text(input.name())),
                      .file = input_name(options_->labels_file),
                      .code = "label-count"});
  if (!labels_ && !current_.labels && options_->labels_required)
    throw ConfigError(quote_text(input.name()) + " holds no labels", "labels",
                      "--labels FILE gives one label per row: a .npy array or a text file with one a line");
  const auto check = [&](std::uint64_t size, std::string_view what) {
    if (size != rows)
      throw InputError({.message = fmt::format("there {} {} for {}", is_or_are(size), counted(size, what),
                                               counted(rows, "row")),
                        .file = input.name(),
                        .code = "length"});
  };
  if (current_.labels) check(current_.labels->size(), "label");
  if (!options_->weight.empty()) check(current_.weights.size(), "weight");
  if (!options_->offset.empty()) check(current_.offsets.size(), "offset");
  if (!options_->id.empty()) check(current_.ids.size(), "id");
}

bool ArrayBlocks::next(RowBlock& block) {
  cancel_.throw_if_cancelled();
  block.clear(*options_, precision_);
  while (current_.rows == nullptr || row_ == current_.rows->num_rows()) {
    if (current_.rows != nullptr) close_input();
    if (!open_next()) return false;
  }
  while (row_ < current_.rows->num_rows() && block.num_rows() < block_rows &&
         block.ids.size() < block_entries)
    if (!add_row(block)) break;
  log_->progress({.phase = "reading", .done = rows_before_ + row_, .total = 0, .unit = "rows"});
  return true;
}

void ArrayBlocks::close_input() {
  current_.rows->finish();
  bytes_ += current_.rows->bytes();
  rows_before_ += row_;
  current_ = {};
}

std::uint32_t ArrayBlocks::label_of_row(RowBlock& block) const {
  const LabelColumn* column = labels_ ? &*labels_ : current_.labels ? &*current_.labels : nullptr;
  if (column == nullptr) return no_label;
  const std::string& text = column->canonical(labels_ ? rows_before_ + row_ : row_);
  const auto id = block.labels.intern(text);
  if (!id)
    throw InputError({.message = fmt::format("label {} of row {}; expected {}", quote_text(text),
                                             rows_before_ + row_ + 1, block.labels.expected()),
                      .file = labels_ ? options_->labels_file : (*inputs_)[next_input_ - 1].name(),
                      .code = "bad-label"});
  return *id;
}

// False: no further row of this block is wanted.
bool ArrayBlocks::add_row(RowBlock& block) {
  std::optional<ErrorDetail> problem = current_.rows->next(scratch_);
  block.begin_row();
  const std::uint32_t label = label_of_row(block);
  const std::uint64_t row = row_++;
  if (problem) return block.reject(std::move(*problem));
  for (std::size_t k = 0; k < scratch_.columns.size(); ++k)
    if (const auto id = ids_.find(scratch_.columns[k], block)) block.add_value(*id, scratch_.values[k]);
  RowEnd end = block.end_row(label);
  if (end == RowEnd::repeated) end = block.sum_repeated(label);
  const std::string& file = (*inputs_)[next_input_ - 1].name();
  if (end == RowEnd::too_long) throw row_too_long({.message = {}, .file = file}, *options_);
  if (end == RowEnd::overflow)
    return block.reject({.kind = ErrorKind::input,
                         .message = fmt::format("a value of row {} is beyond the range of a {}", row + 1,
                                                precision_ == Precision::float32 ? "float" : "double"),
                         .hint = precision_ == Precision::float32 ? "--precision float64 keeps it" : "",
                         .file = file,
                         .code = "bad-number"});
  if (!current_.weights.empty()) block.weights.push_back(current_.weights[row]);
  if (!current_.offsets.empty()) block.offsets.push_back(current_.offsets[row]);
  if (!current_.ids.empty()) block.row_ids.push_back(current_.ids[row]);
  return true;
}

}  // namespace lazylogit::io
