// The names of features, and how they are found again; see feature_layout.hpp.
#include "lazylogit/io/columns/feature_layout.hpp"

namespace lazylogit::io {
namespace {

bool starts_with(std::string_view name, std::string_view column, char mark) {
  return name.size() > column.size() && name.substr(0, column.size()) == column &&
         name[column.size()] == mark;
}

bool belongs(std::string_view name, const data::ColumnSpec& column) {
  if (column.missing_indicator && name == indicator_name(column)) return true;
  switch (column.type) {
    case data::ColumnType::numeric:
      return name == column.name;
    case data::ColumnType::categorical:
      return starts_with(name, column.name, '=');
    case data::ColumnType::text:
      return starts_with(name, column.name, ':');
    case data::ColumnType::sparse:
      return starts_with(name, column.name, '.') || starts_with(name, column.name, '[');
  }
  return false;
}

std::string joined(std::string_view column, std::string_view mark, std::string_view value) {
  std::string name;
  name.reserve(column.size() + mark.size() + value.size());
  return name.append(column).append(mark).append(value);
}

}  // namespace

std::string category_name(std::string_view column, std::string_view value) {
  return joined(column, "=", value);
}
std::string indicator_name(const data::ColumnSpec& column) {
  return category_name(column.name, column.indicator);
}
std::string ngram_name(std::string_view column, std::string_view ngram) { return joined(column, ":", ngram); }
std::string nested_name(std::string_view column, std::string_view key) {
  return joined(column, !key.empty() && key.front() == '[' ? "" : ".", key);
}

std::uint32_t end_of_features(const data::ColumnSpec& column, const data::Alphabet& names,
                              std::uint32_t first) {
  while (first < names.size() && belongs(names.name(first), column)) ++first;
  return first;
}

std::vector<FeatureRange> find_feature_ranges(const data::InputSpec& input, const data::Alphabet& names) {
  std::vector<FeatureRange> ranges(input.columns.size());
  std::uint32_t at = 0;
  for (std::size_t c = 0; c < input.columns.size(); ++c) {
    ranges[c].first = at;
    ranges[c].last = at = end_of_features(input.columns[c], names, at);
  }
  // A streamed model has its features in order of appearance; its columns' names keep them apart.
  if (at < names.size())
    for (FeatureRange& range : ranges) range = {0, static_cast<std::uint32_t>(names.size())};
  return ranges;
}

}  // namespace lazylogit::io
