#include "lazylogit/train/label_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "lazylogit/base/error.hpp"
#include "lazylogit/config/value.hpp"

namespace lazylogit::train {
namespace {

constexpr std::size_t least_for_copy = 8, least_rows = 20;
constexpr std::size_t most_cells = std::size_t{1} << 20, most_entries = 2'000'000;

std::vector<std::size_t> count_classes(const data::Dataset& data, std::span<const double> weights) {
  std::vector<std::size_t> counts(data.classes.size(), 0);
  for (std::size_t j = 0; j < data.num_rows(); ++j)
    if ((weights.empty() || weights[j] > 0) && data.labels[j] != unknown_class)
      ++counts[static_cast<std::size_t>(data.labels[j])];
  return counts;
}

class LabelSearch {
 public:
  LabelSearch(const data::Dataset& data, std::span<const double> weights)
      : data_(data),
        classes_(data.classes.size()),
        counts_(count_classes(data, weights)),
        num_rows_(std::accumulate(counts_.begin(), counts_.end(), std::size_t{0})),
        num_features_(data.input.derived.num_base > 0 ? data.input.derived.num_base : data.x.num_features),
        ranges_(num_features_ * classes_) {
    data.x.visit_rows([&](const auto& rows) {
      for (std::size_t j = 0; j < rows.num_rows; ++j) {
        if ((!weights.empty() && !(weights[j] > 0)) || data.labels[j] == unknown_class) continue;
        const auto row = rows.row(j);
        for (std::size_t k = 0; k < row.size() && row.ids[k] < num_features_; ++k) {
          Range& range = ranges_[row.ids[k] * classes_ + static_cast<std::size_t>(data.labels[j])];
          const double value = row.value(k);
          range.low = range.rows == 0 ? value : std::min(range.low, value);
          range.high = range.rows == 0 ? value : std::max(range.high, value);
          ++range.rows;
        }
      }
    });
  }

  std::vector<std::string> constants() const {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < num_features_; ++i)
      if (is_constant(i)) found.push_back(name_of(i));
    return found;
  }

  std::vector<std::string> copies() const {
    std::vector<std::string> found;
    const auto add = [&](std::string name) {
      if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(std::move(name));
    };
    for (std::size_t i = 0; i < num_features_; ++i)
      if (tells_class(i)) add(column_of(i));
    if (num_rows_ >= least_rows && !data_.features.empty())
      for (const data::ColumnSpec& column : data_.input.columns)
        if (column.type == data::ColumnType::categorical && is_pure(column)) add(column.name);
    return found;
  }

 private:
  struct Range {
    double low = 0, high = 0;
    std::uint32_t rows = 0;
  };

  bool tells_class(std::size_t feature) const {
    std::vector<std::pair<double, double>> ranges;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (counts_[c] == 0) continue;
      Range range = ranges_[feature * classes_ + c];
      if (range.rows < counts_[c])
        range.low = std::min(range.low, 0.0), range.high = std::max(range.high, 0.0);
      ranges.emplace_back(range.low, range.high);
    }
    std::sort(ranges.begin(), ranges.end());
    bool points = true;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      if (k > 0 && !(ranges[k - 1].second < ranges[k].first)) return false;
      points = points && ranges[k].first == ranges[k].second;
    }
    return ranges.size() > 1 && num_rows_ >= (points ? least_for_copy : least_rows);
  }

  // In every row, with one value.
  bool is_constant(std::size_t feature) const {
    const Range* first = nullptr;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (counts_[c] == 0) continue;
      const Range& range = ranges_[feature * classes_ + c];
      if (range.rows < counts_[c] || range.low != range.high || (first != nullptr && first->low != range.low))
        return false;
      first = &range;
    }
    return first != nullptr && num_rows_ > 1;
  }

  std::string name_of(std::size_t feature) const {
    return data_.features.empty() ? "#" + std::to_string(feature)
                                  : std::string(data_.features.name(static_cast<FeatureId>(feature)));
  }

  std::string column_of(std::size_t feature) const {
    const std::string name = name_of(feature);
    for (const data::ColumnSpec& column : data_.input.columns)
      if (belongs(name, column)) return column.name;
    return name;
  }

  static bool belongs(std::string_view name, const data::ColumnSpec& column) {
    return name == column.name || (name.size() > column.name.size() && name.starts_with(column.name) &&
                                   name[column.name.size()] == '=');
  }

  // Rows without a feature of the column have the category that was left out.
  bool is_pure(const data::ColumnSpec& column) const {
    std::vector<std::size_t> left = counts_;
    std::size_t categories = 0;
    for (std::size_t i = 0; i < num_features_; ++i) {
      if (!belongs(data_.features.name(static_cast<FeatureId>(i)), column)) continue;
      std::size_t in_classes = 0;
      for (std::size_t c = 0; c < classes_; ++c) {
        const std::uint32_t rows = ranges_[i * classes_ + c].rows;
        in_classes += rows > 0 ? 1 : 0;
        left[c] -= std::min<std::size_t>(left[c], rows);
      }
      if (in_classes > 1) return false;
      ++categories;
    }
    const auto others = std::count_if(left.begin(), left.end(), [](std::size_t rows) { return rows > 0; });
    constexpr std::size_t rows_per_category = 4;
    return categories > 1 && others < 2 && categories * rows_per_category <= num_rows_;
  }

  const data::Dataset& data_;
  std::size_t classes_;
  std::vector<std::size_t> counts_;
  std::size_t num_rows_, num_features_;
  std::vector<Range> ranges_;
};

}  // namespace

SuspectFeatures suspect_features(const data::Dataset& data, std::span<const double> weights) {
  const std::size_t classes = data.classes.size();
  if (classes == 0 || data.x.num_features == 0 || data.x.num_features > most_cells / classes) return {};
  if (data.input.kind != data::InputKind::columns && data.x.num_nonzeros() > most_entries) return {};
  if (data.input.derived.adds_features() && data.input.derived.num_base == 0)
    return {};  // hashed: which are derived?
  const LabelSearch search(data, weights);
  return {search.copies(), search.constants()};
}

namespace {

// "a" (3), "b" (1) and 2 more: the classes whose number of rows is in [least, most].
std::string list_classes(const data::Dataset& data, const std::vector<std::size_t>& counts, std::size_t least,
                         std::size_t most) {
  constexpr std::size_t most_named = 3;
  std::string list;
  std::size_t found = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] < least || counts[c] > most || ++found > most_named) continue;
    list += (found == 1 ? "" : ", ") + quote_text(data.classes.label(static_cast<ClassId>(c)));
    if (most > 0) list += fmt::format(" ({})", counts[c]);
  }
  if (found > most_named) list += fmt::format(" and {} more", found - most_named);
  return list;
}

}  // namespace

std::string quantity_labels(const data::Dataset& data, std::span<const double> weights) {
  constexpr std::size_t least = 20, rows_per_class = 5;
  const std::size_t classes = data.classes.size();
  if (classes < least) return {};
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool fractions = false;
  for (const std::string& label : data.classes.labels()) {
    const std::optional<double> value = config::parse_real(label);
    if (!value) return {};
    low = std::min(low, *value);
    high = std::max(high, *value);
    fractions = fractions || *value != std::floor(*value);
  }
  const std::vector<std::size_t> counts = count_classes(data, weights);
  const std::size_t rows = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  // Codes of classes hardly leave numbers out, and a class has rows to be learned from.
  const bool dense = high - low < 2 * static_cast<double>(classes);
  const bool few_rows = rows < rows_per_class * classes, alone = rows < 2 * classes;
  if (!fractions && !alone && (dense || !few_rows)) return {};
  return fmt::format("the labels are {} different numbers in {} rows, each of them a class: a quantity?",
                     classes, rows);
}

std::string distinct_labels(const data::Dataset& data, std::span<const double> weights) {
  constexpr std::size_t least = 20;
  const std::size_t classes = data.classes.size();
  if (classes < least) return {};
  const std::vector<std::size_t> counts = count_classes(data, weights);
  const std::size_t rows = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  if (rows >= 2 * classes) return {};
  return fmt::format(
      "the labels are {} different names in {} rows, each of them a class: identifiers, or texts?", classes,
      rows);
}

std::string rare_classes(const data::Dataset& data, std::span<const double> weights) {
  constexpr std::size_t few = 5, least = 30;
  const std::vector<std::size_t> counts = count_classes(data, weights);
  if (std::accumulate(counts.begin(), counts.end(), std::size_t{0}) < least) return {};
  const std::string list = list_classes(data, counts, 1, few - 1);
  if (list.empty()) return {};
  return fmt::format("classes of fewer than five rows, whose coefficients rest on these alone: {}", list);
}

std::string empty_classes(const data::Dataset& data, std::span<const double> weights) {
  const std::string list = list_classes(data, count_classes(data, weights), 0, 0);
  if (list.empty()) return {};
  return fmt::format("classes without a row of positive weight, whose probability goes to 0: {}", list);
}

}  // namespace lazylogit::train
