// Weighted mean and deviation (with 1/n) of every feature, absent entries counting as 0.
//
//   mean_i = Σ_j w_j x_{j,i} / W,   deviation_i = √(Σ_j w_j (x_{j,i} − mean_i)² / W),   W = Σ_j w_j
//
// A constant column has deviation exactly 0, and its value as mean. Cost: three passes over the entries.
#pragma once

#include <span>
#include <vector>

#include "lazylogit/data/sparse_matrix.hpp"

namespace lazylogit::data {

struct FeatureMoments {
  std::vector<double> means, deviations;
};

// `weights` may be empty (all 1).
FeatureMoments feature_moments(const SparseMatrix& x, std::span<const double> weights);

}  // namespace lazylogit::data
