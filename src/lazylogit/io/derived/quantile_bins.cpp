#include "lazylogit/io/derived/quantile_bins.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lazylogit/base/counted.hpp"
#include "lazylogit/base/error.hpp"
#include "lazylogit/io/columns/feature_layout.hpp"
#include "lazylogit/io/derived/derived_plan.hpp"
#include "lazylogit/io/derived/derived_rows.hpp"

namespace lazylogit::io {
namespace {

struct Present {
  std::vector<double> values, weights;
};

// The values of a numeric column, where they were not missing, and the weights of their rows.
Present values_of(const data::Dataset& data, const data::ColumnSpec& column) {
  std::optional<FeatureId> feature, indicator;
  for (std::size_t id = 0; id < data.features.size(); ++id) {
    const std::string_view name = data.features.name(static_cast<FeatureId>(id));
    if (name == column.name) feature = static_cast<FeatureId>(id);
    if (column.missing_indicator && name == indicator_name(column)) indicator = static_cast<FeatureId>(id);
  }
  Present present;
  if (!feature) return present;  // --min-count dropped it
  for_each_row(data.x, [&](std::span<const FeatureId> ids, std::span<const double> values, std::size_t row) {
    if (indicator && std::binary_search(ids.begin(), ids.end(), *indicator)) return;
    const auto at = std::lower_bound(ids.begin(), ids.end(), *feature);
    present.values.push_back(
        at != ids.end() && *at == *feature ? values[static_cast<std::size_t>(at - ids.begin())] : 0.0);
    if (!data.weights.empty()) present.weights.push_back(data.weights[row]);
  });
  return present;
}

std::vector<double> weighted_edges(const std::vector<double>& values, const std::vector<double>& weights,
                                   int num_bins) {
  std::vector<std::pair<double, double>> weighted;
  double total = 0;
  bool whole = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (weights[i] == 0) continue;
    weighted.emplace_back(values[i], weights[i]);
    total += weights[i];
    whole = whole && weights[i] == std::floor(weights[i]);
  }
  std::stable_sort(weighted.begin(), weighted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<double> edges;
  double sum = 0;
  std::size_t at = 0;
  for (int k = 1; k < num_bins; ++k) {
    const double share = k * total / num_bins, above = whole ? std::ceil(share) : share;
    for (; at < weighted.size() && sum + weighted[at].second <= above; ++at) sum += weighted[at].second;
    if (at == weighted.size()) break;
    const double edge = weighted[at].first;
    if (edge > (edges.empty() ? weighted.front().first : edges.back())) edges.push_back(edge);
  }
  return edges;
}

}  // namespace

std::vector<double> quantile_edges(std::vector<double> values, std::vector<double> weights, int num_bins) {
  if (!weights.empty()) return weighted_edges(values, weights, num_bins);
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
    for (const data::ColumnSpec& column : data.input.columns) {
      if (column.name != bins.column) continue;
      Present present = values_of(data, column);
      bins.edges = quantile_edges(std::move(present.values), std::move(present.weights), wanted);
    }
    bins.drop_first = drop_first;
    const std::size_t made = bins.edges.size() + 1;
    if (made < static_cast<std::size_t>(wanted))
      log.notice("column " + quote_text(bins.column) + ": " + counted(made, "bin") + " instead of " +
                 std::to_string(wanted) + ", because values repeat");
  }
}

}  // namespace lazylogit::io
