// The area under the ROC curve: the probability that a random positive row scores above a random negative
// one, ties half.
//
//   AUC = Σ_{i pos, j neg} w_i w_j ([s_i > s_j] + ½ [s_i = s_j]) / (Σ_pos w · Σ_neg w)
// Exact, by sorting: O(n log n).
#pragma once

#include <optional>
#include <span>

#include "lazylogit/base/types.hpp"

namespace lazylogit::eval {

struct RankedRow {
  double score;
  double weight;  // of the row; negative rows carry it with a minus sign (0 is left out)
};

// Sorts `rows`. Nothing when all rows are of one kind.
std::optional<double> area_under_curve(std::span<RankedRow> rows);

}  // namespace lazylogit::eval
