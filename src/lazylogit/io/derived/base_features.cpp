#include "lazylogit/io/derived/base_features.hpp"

#include <algorithm>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/derived/derived_plan.hpp"

namespace lazylogit::io {

using data::ColumnType;
using data::InputKind;

BaseFeatures::BaseFeatures(const data::InputSpec& input, const data::DerivedSpec& spec) : input_(&input) {
  for (const data::ColumnSpec& column : input.columns) columns_.append(column.name);
  columns_.build_index();
  for (const std::vector<std::string>& term : spec.interactions)
    for (const std::string& name : term)
      if (std::find(operands_.begin(), operands_.end(), name) == operands_.end()) operands_.push_back(name);
  constexpr std::size_t most_operands = 64;  // a bit each
  if (operands_.size() > most_operands)
    throw ConfigError("found more than 64 different names, which is the limit", "interactions",
                      "\".\" stands for every column");
}

std::size_t BaseFeatures::operand(std::string_view name) const {
  return static_cast<std::size_t>(std::find(operands_.begin(), operands_.end(), name) - operands_.begin());
}

std::int32_t BaseFeatures::column_of(std::string_view name, bool& marks_missing) const {
  const std::optional<FeatureId> whole = columns_.find(name);
  if (whole && input_->columns[*whole].type == ColumnType::numeric) return static_cast<std::int32_t>(*whole);
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char mark = name[at];
    if (mark != '=' && mark != ':' && mark != '.' && mark != '[') continue;
    const std::optional<FeatureId> found = columns_.find(name.substr(0, at));
    if (!found) continue;
    const data::ColumnSpec& column = input_->columns[*found];
    const bool fits = (mark == '=' && column.type == ColumnType::categorical) ||
                      (mark == ':' && column.type == ColumnType::text) ||
                      ((mark == '.' || mark == '[') && column.type == ColumnType::sparse);
    marks_missing = mark == '=' && column.missing_indicator && name.substr(at + 1) == column.indicator;
    if (fits || marks_missing) return static_cast<std::int32_t>(*found);
  }
  return -1;
}

BaseFeatures::Feature BaseFeatures::look_at(std::string_view name) const {
  Feature feature;
  std::string_view owner;  // what operands call it
  switch (input_->kind) {
    case InputKind::columns: {
      feature.column = column_of(name, feature.marks_missing);
      if (feature.column < 0 || feature.marks_missing) return feature;
      const data::ColumnSpec& column = input_->columns[static_cast<std::size_t>(feature.column)];
      feature.is_numeric = column.type == ColumnType::numeric;
      feature.may_be_squared = feature.is_numeric || column.type == ColumnType::sparse;
      owner = column.name;
      break;
    }
    case InputKind::named:
      owner = name.substr(0, name.find('^'));
      if (owner.size() == name.size()) owner = {};
      feature.is_numeric = feature.may_be_squared = true;
      break;
    case InputKind::indexed:
      feature.is_numeric = feature.may_be_squared = true;
      break;
    case InputKind::text:
      owner = "text";
      break;
  }
  for (std::size_t k = 0; k < operands_.size(); ++k) {
    const bool is_it =
        operands_[k] == every_column || (!owner.empty() && operands_[k] == owner) ||
        (input_->kind != InputKind::columns && input_->kind != InputKind::text && operands_[k] == name);
    if (is_it) feature.operands |= std::uint64_t{1} << k;
  }
  return feature;
}

}  // namespace lazylogit::io
