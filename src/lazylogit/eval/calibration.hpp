// Do probabilities mean what they say? Rows in 15 bins of equal width by the probability of their decision.
//
//   expected calibration error = Σ_bins (weight of the bin / weight of all) · |accuracy − mean probability|
// A probability p falls into the bin with lower < p ≤ upper (0 into the first).
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "lazylogit/eval/evaluation.hpp"
#include "lazylogit/math/compensated_sum.hpp"

namespace lazylogit::eval {

class Calibration {
 public:
  static constexpr std::size_t num_bins = 15;
  void add(double probability, bool correct, double weight) noexcept;
  std::vector<CalibrationBin> bins() const;
  std::optional<double> expected_error() const;

 private:
  struct Sums {
    math::CompensatedSum weight, probability, correct;
  };
  std::array<Sums, num_bins> sums_;
};

}  // namespace lazylogit::eval
