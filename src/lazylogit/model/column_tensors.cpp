#include "lazylogit/model/column_tensors.hpp"

#include <fmt/format.h>

namespace lazylogit::model {
namespace {

constexpr int num_types = 4, with_indicator = 4, with_dropped = 8, all_kinds = 16;
constexpr std::uint64_t words_per_column = 3;

// In the file, whatever the order of the enumeration.
constexpr data::ColumnType types_by_code[num_types] = {data::ColumnType::numeric,
                                                       data::ColumnType::categorical, data::ColumnType::text,
                                                       data::ColumnType::sparse};

int code_of(data::ColumnType type) {
  int code = 0;
  while (types_by_code[code] != type) ++code;
  return code;
}

}  // namespace

ColumnTensors::ColumnTensors(const data::InputSpec& input, TensorList& list) {
  kinds_.reserve(input.columns.size());
  means_.reserve(input.columns.size());
  const std::string usual = data::ColumnSpec().indicator;
  for (const data::ColumnSpec& column : input.columns) {
    names_.append(column.name);
    kinds_.push_back(static_cast<char>(code_of(column.type) +
                                       (column.missing_indicator ? with_indicator : 0) +
                                       (column.has_dropped_category ? with_dropped : 0)));
    means_.push_back(column.impute_number);
    words_.append(column.indicator == usual ? std::string_view() : column.indicator);
    words_.append(column.impute_category);
    words_.append(column.dropped_category);
  }
  for (const std::string& name : input.ignored) ignored_.append(name);
  list.add_names("column", names_);
  list.add("column_kinds", TensorType::u8, {kinds_.data(), kinds_.size()}, {kinds_.size()});
  list.add("column_means", means_, {means_.size()});
  if (!words_.bytes().empty()) list.add_names("column_word", words_);
  list.add_names("ignored", ignored_);
}

void read_columns(const TensorReader& tensors, const WideTable& wide, data::InputSpec& input) {
  const Tensor& kinds = tensors.require("column_kinds", TensorType::u8, {wide.num_columns});
  const Tensor& means = tensors.require("column_means", TensorType::f64, {wide.num_columns});
  const data::Alphabet names = tensors.name_table("column", wide.num_columns, Distinct::not_needed);
  data::Alphabet words;
  if (tensors.find("column_word_names") != nullptr)
    words = tensors.name_table("column_word", words_per_column * wide.num_columns, Distinct::not_needed);
  std::vector<double> numbers(wide.num_columns);
  tensors.copy_numbers(means, numbers.data(), Finite::required);
  const auto word = [&](std::size_t column, std::uint64_t which) {
    return words.empty() ? std::string_view()
                         : words.name(static_cast<FeatureId>(words_per_column * column + which));
  };
  input.columns.reserve(wide.num_columns);
  for (std::size_t c = 0; c < wide.num_columns; ++c) {
    const int kind = static_cast<unsigned char>(kinds.bytes[c]);
    if (kind >= all_kinds)
      tensors.refuse(kinds.byte_offset + c, fmt::format("column {} has the unknown kind {}", c, kind));
    data::ColumnSpec& column = input.columns.emplace_back();
    column.name = names.name(static_cast<FeatureId>(c));
    column.type = types_by_code[kind % num_types];
    column.missing_indicator = (kind & with_indicator) != 0;
    column.has_dropped_category = (kind & with_dropped) != 0;
    column.impute_number = numbers[c];
    if (!word(c, 0).empty()) column.indicator = word(c, 0);
    column.impute_category = word(c, 1);
    column.dropped_category = word(c, 2);
  }
  const data::Alphabet ignored = tensors.name_table("ignored", wide.num_ignored, Distinct::not_needed);
  input.ignored.reserve(ignored.size());
  for (std::size_t i = 0; i < ignored.size(); ++i)
    input.ignored.emplace_back(ignored.name(static_cast<FeatureId>(i)));
  if (!is_wide(input)) tensors.refuse(8, "a table that is not wide has its columns in tensors");
}

}  // namespace lazylogit::model
