#include "lazylogit/data/feature_moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace lazylogit::data {
namespace {

// What values are counted in before they are squared: squares of 1e-300 vanish, those of 1e300 are no numbers. A power of
// two changes no digit.
double power_of_two_above(double magnitude) {
  constexpr int least = -1000, most = 1000;  // of which the inverse is a number, too
  if (!(magnitude > 0) || std::isinf(magnitude)) return 1;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  return std::ldexp(1.0, std::clamp(exponent, least, most));
}

}  // namespace

FeatureMoments feature_moments(const SparseMatrix& x, std::span<const double> weights) {
  const std::size_t d = x.num_features;
  std::vector<double> mean(d, 0.0), square(d, 0.0), seen(d, 0.0), unit(d, 1.0);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> low(d, infinity), high(d, -infinity);
  double total = 0;
  const auto weight = [&](std::size_t j) { return weights.empty() ? 1.0 : weights[j]; };
  x.visit_rows([&](const auto& rows) {
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      const double w = weight(j);
      if (w == 0) continue;
      total += w;
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::size_t i = row.ids[k];
        const double value = row.value(k);
        mean[i] += w * value;
        seen[i] += w;
        if (value < low[i]) low[i] = value;
        if (value > high[i]) high[i] = value;
      }
    }
    for (std::size_t i = 0; i < d; ++i) {
      mean[i] = total > 0 ? mean[i] / total : 0;
      unit[i] = 1 / power_of_two_above(std::max(std::abs(low[i]), std::abs(high[i])));
    }
    for (std::size_t j = 0; j < rows.num_rows; ++j) {
      const double w = weight(j);
      if (w == 0) continue;
      const auto row = rows.row(j);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::size_t i = row.ids[k];
        const double difference = (row.value(k) - mean[i]) * unit[i];
        square[i] += w * difference * difference;
      }
    }
  });
  for (std::size_t i = 0; i < d; ++i) {
    const double absent = total - seen[i];
    // Weights are summed in the same order for every full column, but not exactly: allow for rounding.
    const bool full = absent <= 1e-9 * total;
    const double center = mean[i] * unit[i];
    const bool constant = seen[i] == 0 || (full && low[i] == high[i]);
    if (constant) {
      mean[i] = seen[i] == 0 ? 0 : low[i];
      square[i] = 0;
    } else
      square[i] = std::sqrt((square[i] + (full ? 0.0 : absent * center * center)) / total) / unit[i];
  }
  return {std::move(mean), std::move(square)};
}

}  // namespace lazylogit::data
