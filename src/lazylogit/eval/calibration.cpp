#include "lazylogit/eval/calibration.hpp"

#include <algorithm>
#include <cmath>

namespace lazylogit::eval {

void Calibration::add(double probability, bool correct, double weight) noexcept {
  constexpr auto bins = static_cast<double>(num_bins);
  const double place = std::clamp(std::ceil(probability * bins) - 1, 0.0, bins - 1);
  Sums& sums = sums_[static_cast<std::size_t>(place)];
  sums.weight.add(weight);
  sums.probability.add(weight * probability);
  sums.correct.add(correct ? weight : 0.0);
}

std::vector<CalibrationBin> Calibration::bins() const {
  std::vector<CalibrationBin> result(num_bins);
  for (std::size_t i = 0; i < num_bins; ++i) {
    const double weight = sums_[i].weight.value();
    result[i] = {.lower = static_cast<double>(i) / num_bins,
                 .upper = static_cast<double>(i + 1) / num_bins,
                 .weight = weight};
    if (!(weight > 0)) continue;
    result[i].mean_probability = sums_[i].probability.value() / weight;
    result[i].accuracy = sums_[i].correct.value() / weight;
  }
  return result;
}

std::optional<double> Calibration::expected_error() const {
  math::CompensatedSum total, error;
  for (const CalibrationBin& bin : bins()) {
    if (!bin.accuracy) continue;
    total.add(bin.weight);
    error.add(bin.weight * std::fabs(*bin.accuracy - *bin.mean_probability));
  }
  return total.value() > 0 ? std::optional(error.value() / total.value()) : std::nullopt;
}

}  // namespace lazylogit::eval
