#include "lazylogit/train/feature_groups.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/model/model.hpp"
#include "lazylogit/train/coefficient_finder.hpp"

namespace lazylogit::train {
namespace {

using Names = std::vector<std::string>;  // the group of every row of the layout

// Where a feature's name ends its column's: "job=teacher", "review:good", "pixels[3]", "counts.key".
constexpr std::string_view column_ends = "=:[.";

class Columns {
 public:
  explicit Columns(const data::InputSpec& input) {
    for (const data::ColumnSpec& column : input.columns) known_.insert(column.name);
  }
  std::string of(std::string_view feature) const {
    if (const auto column = find(feature)) return std::string(*column);
    std::string product;
    for (std::size_t from = 0; from <= feature.size();) {
      const std::size_t star = std::min(feature.find('*', from), feature.size());
      const std::string_view factor = feature.substr(from, star - from);
      if (!product.empty()) product += '*';
      product += find(factor).value_or(factor.substr(0, factor.find('=')));
      from = star + 1;
    }
    return product;
  }

 private:
  std::optional<std::string_view> find(std::string_view feature) const {
    if (known_.count(std::string(feature)) > 0) return feature;
    for (std::size_t at = feature.find_first_of(column_ends); at != std::string_view::npos;
         at = feature.find_first_of(column_ends, at + 1))
      if (known_.count(std::string(feature.substr(0, at))) > 0) return feature.substr(0, at);
    return std::nullopt;
  }

  std::unordered_set<std::string> known_;
};

void refuse_without(const data::Dataset& data, data::InputKind kind, const char* what, const char* formats) {
  if (data.input.hash_bits)
    throw ConfigError(fmt::format("hashed features do not know their {}", what), "groups",
                      "leave out --hash-bits");
  if (data.input.kind != kind)
    throw ConfigError(fmt::format("the data has no {}s, which {} files have", what, formats), "groups",
                      "list the features in a csv file: feature,group");
}

Names by_column(const data::Dataset& data) {
  refuse_without(data, data::InputKind::columns, "column", "csv, tsv and jsonl");
  const Columns columns(data.input);
  Names names;
  for (std::size_t i = 0; i < data.features.size(); ++i)
    names.push_back(columns.of(data.features.name(static_cast<FeatureId>(i))));
  return names;
}

Names by_namespace(const data::Dataset& data) {
  refuse_without(data, data::InputKind::named, "namespace", "vw");
  Names names;
  for (std::size_t i = 0; i < data.features.size(); ++i) {
    const std::string_view feature = data.features.name(static_cast<FeatureId>(i));
    const std::size_t end = feature.find('^');
    names.emplace_back(end == std::string_view::npos ? "default" : feature.substr(0, end));
  }
  return names;
}

std::vector<CsvRecord> load_groups(const std::string& file) {
  std::vector<CsvRecord> records = load_small_csv(file);
  if (records.empty())
    throw_at(file, {{}, 1, 1},
             "the file is empty; expected the header feature,group and one line per feature");
  if (records[0].size() != 2 || records[0][0].text != "feature" || records[0][1].text != "group")
    throw_at(file, records[0][0], "expected the header \"feature,group\"");
  records.erase(records.begin());
  for (const CsvRecord& record : records) {
    if (record.size() != 2) throw_at(file, record[0], counted(record.size(), "field") + "; expected 2");
    if (record[1].text.empty()) throw_at(file, record[1], "the group has no name");
  }
  return records;
}

Names by_file(const std::string& file, data::Dataset& data, const model::Shape& shape, Log& log) {
  if (data.features.empty() && shape.num_features > 0)
    throw ConfigError("hashed features cannot be named", "groups", "leave out --hash-bits");
  data.features.build_index();
  Names names(shape.num_features, "other");
  names.emplace_back(model::intercept_name);
  const CoefficientNames coefficients{&data.features, &data.classes, shape, data.input.hash_bits};
  CoefficientFinder finder(file, coefficients, log);
  for (const CsvRecord& record : load_groups(file))
    finder.for_each(record[0], {"*", record[0].line, record[0].column},
                    [&](std::size_t i) { names[i / shape.stride()] = record[1].text; });
  finder.finish();
  return names;
}

bool is_file(const std::string& how) { return how != "column" && how != "namespace"; }

}  // namespace

std::vector<std::uint64_t> FeatureGroups::sizes() const {
  std::vector<std::uint64_t> result(names.size(), 0);
  for (const std::uint32_t group : of) ++result[group];
  return result;
}

void check_feature_groups(const std::string& how) {
  if (is_file(how)) load_groups(how);
}

FeatureGroups make_feature_groups(const std::string& how, data::Dataset& data, const model::Shape& shape,
                                  bool with_intercept, Log& log) {
  Names names = is_file(how)      ? by_file(how, data, shape, log)
                : how == "column" ? by_column(data)
                                  : by_namespace(data);
  names.resize(shape.num_features + (with_intercept ? 1 : 0), model::intercept_name);
  FeatureGroups groups;
  std::unordered_map<std::string_view, std::uint32_t> index;
  for (const std::string& name : names) {
    const auto [entry, is_new] = index.try_emplace(name, static_cast<std::uint32_t>(groups.names.size()));
    if (is_new) groups.names.push_back(name);
    groups.of.push_back(entry->second);
  }
  return groups;
}

}  // namespace lazylogit::train
