#include "lazylogit/train/prior_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/train/prior_setup.hpp"
#include "lazylogit/train/small_csv.hpp"

namespace lazylogit::train {
namespace {

struct Setting {
  prior::AnyPrior prior;
  bool pinned = false;
};

// How the columns after the mean make a prior of a family.
struct FamilyLayout {
  std::string_view family;
  std::span<const std::string_view> names;
  Setting (*make)(const std::vector<double>& values);
};

constexpr std::string_view variance_names[] = {"variance"}, scale_names[] = {"scale"},
                           net_names[] = {"l1", "l2"};

constexpr FamilyLayout layouts[] = {
    {"gaussian", variance_names,
     [](const std::vector<double>& v) -> Setting {
       return {prior::Gaussian::from_variance(v[0] == 0 ? 1 : v[0]), v[0] == 0};
     }},
    {"laplace", variance_names,
     [](const std::vector<double>& v) -> Setting {
       return {prior::Laplace::from_variance(v[0] == 0 ? 1 : v[0]), v[0] == 0};
     }},
    {"cauchy", scale_names,
     [](const std::vector<double>& v) -> Setting {
       return {prior::Cauchy::from_scale(v[0] == 0 ? 1 : v[0]), v[0] == 0};
     }},
    {"elastic-net", net_names,
     [](const std::vector<double>& v) -> Setting {
       const bool pinned = std::isinf(v[0]) || std::isinf(v[1]);
       return {pinned ? prior::ElasticNet{1, 1} : prior::ElasticNet{v[0], v[1]}, pinned};
     }},
};

const FamilyLayout* find_layout(std::string_view family) {
  for (const FamilyLayout& layout : layouts)
    if (layout.family == family) return &layout;
  return nullptr;
}

void check_header(const std::string& file, const CsvRecord& header, const FamilyLayout& layout) {
  std::vector<std::string_view> expected{"feature", "class", "mean"};
  expected.insert(expected.end(), layout.names.begin(), layout.names.end());
  const bool same =
      header.size() == expected.size() &&
      std::equal(header.begin(), header.end(), expected.begin(),
                 [](const CsvField& field, std::string_view name) { return field.text == name; });
  if (!same)
    throw_at(file, header[0],
             fmt::format("the header does not fit the {} prior; expected \"{}\"", layout.family,
                         fmt::join(expected, ",")));
}

struct PriorLine {
  double mean;
  Setting setting;
};

// Everything about a line that can be told without the data.
PriorLine parse_line(const std::string& file, const CsvRecord& record, const FamilyLayout& layout) {
  if (record.size() != 3 + layout.names.size())
    throw_at(file, record[0],
             fmt::format("{}; expected {}", counted(record.size(), "field"), 3 + layout.names.size()));
  const double mean = parse_number(file, record[2], "mean", {.allow_negative = true});
  std::vector<double> values;
  for (std::size_t k = 0; k < layout.names.size(); ++k)
    values.push_back(
        parse_number(file, record[3 + k], std::string(layout.names[k]), {.allow_infinite = true}));
  const Setting setting = layout.make(values);
  if (!setting.pinned && !is_finite(setting.prior))
    throw_at(file, record[3], quote_text(record[3].text) + " is too small", "0 pins the coefficient");
  return {mean, setting};
}

// The records after the header, which is checked.
std::vector<CsvRecord> load_records(const std::string& file, std::string_view family,
                                    const FamilyLayout** layout) {
  *layout = find_layout(family);
  if (*layout == nullptr)
    throw ConfigError("the uniform prior has no parameters that a file could set", "prior-file",
                      "use --prior gaussian with a file whose first line is *,*,0,inf");
  std::vector<CsvRecord> records = load_small_csv(file);
  if (records.empty())
    throw_at(file, {{}, 1, 1}, "the file is empty; expected a header and one line per prior");
  check_header(file, records[0], **layout);
  records.erase(records.begin());
  return records;
}

}  // namespace

void check_prior_file(const std::string& file, std::string_view family) {
  const FamilyLayout* layout = nullptr;
  for (const CsvRecord& record : load_records(file, family, &layout)) parse_line(file, record, *layout);
}

void apply_prior_file(const std::string& file, const CoefficientNames& names, Log& log,
                      prior::PriorTable& table) {
  const FamilyLayout* layout = nullptr;
  const std::vector<CsvRecord> records = load_records(file, table.family(), &layout);
  table.make_per_coordinate();
  CoefficientFinder finder(file, names, log);
  for (const CsvRecord& record : records) {
    const PriorLine line = parse_line(file, record, *layout);
    finder.for_each(record[0], record[1],
                    [&](std::size_t i) { table.set(i, line.setting.prior, line.mean, line.setting.pinned); });
  }
  finder.finish();
}

}  // namespace lazylogit::train
