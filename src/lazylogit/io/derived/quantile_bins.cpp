#include "lazylogit/io/derived/quantile_bins.hpp"

#include <algorithm>

#include "lazylogit/base/error.hpp"
#include "lazylogit/io/columns/feature_layout.hpp"
#include "lazylogit/io/derived/derived_plan.hpp"
#include "lazylogit/io/derived/derived_rows.hpp"

namespace lazylogit::io {
namespace {

// The values of a numeric column, where they were not missing.
std::vector<double> values_of(const data::Dataset& data, const data::ColumnSpec& column) {
  std::optional<FeatureId> feature, indicator;
  for (std::size_t id = 0; id < data.features.size(); ++id) {
    const std::string_view name = data.features.name(static_cast<FeatureId>(id));
    if (name == column.name) feature = static_cast<FeatureId>(id);
    if (column.missing_indicator && name == indicator_name(column)) indicator = static_cast<FeatureId>(id);
  }
  std::vector<double> present;
  if (!feature) return present;  // --min-count dropped it
  for_each_row(data.x, [&](std::span<const FeatureId> ids, std::span<const double> values, std::size_t) {
    if (indicator && std::binary_search(ids.begin(), ids.end(), *indicator)) return;
    const auto at = std::lower_bound(ids.begin(), ids.end(), *feature);
    present.push_back(at != ids.end() && *at == *feature ? values[static_cast<std::size_t>(at - ids.begin())]
                                                         : 0.0);
  });
  return present;
}

}  // namespace

std::vector<double> quantile_edges(std::vector<double> values, int num_bins) {
  std::vector<double> edges;
  if (values.empty()) return edges;
  std::sort(values.begin(), values.end());
  const auto n = values.size(), bins = static_cast<std::size_t>(num_bins);
  for (std::size_t k = 1; k < bins; ++k) {
    const std::size_t at = (k * n + bins - 1) / bins;
    if (at >= n) break;
    const double edge = values[at];
    if (edge > (edges.empty() ? values.front() : edges.back())) edges.push_back(edge);
  }
  return edges;
}

void learn_bins(const data::Dataset& data, const DerivedOptions& options, bool drop_first,
                data::DerivedSpec& spec, Log& log) {
  for (std::size_t b = 0; b < spec.bins.size(); ++b) {
    data::BinSpec& bins = spec.bins[b];
    const int wanted = parse_bins(options.bins[b]).bins;
    for (const data::ColumnSpec& column : data.input.columns)
      if (column.name == bins.column) bins.edges = quantile_edges(values_of(data, column), wanted);
    bins.drop_first = drop_first;
    const std::size_t made = bins.edges.size() + 1;
    if (made < static_cast<std::size_t>(wanted))
      log.notice("column " + quote_text(bins.column) + ": " + std::to_string(made) + " bins instead of " +
                 std::to_string(wanted) + ", because values repeat");
  }
}

}  // namespace lazylogit::io
