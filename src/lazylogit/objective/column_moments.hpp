// Mean and deviation of every column over the rows of positive weight, which count alike: for what depends on which rows
// there are and not on how much they weigh, as separation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

struct ColumnMoments {
  std::vector<double> means, deviations;  // 0 exactly where all values are the same
};

ColumnMoments column_moments(const Problem& problem);

// Whether intercepts may take up what is taken off the columns.
bool intercepts_are_free(const model::Shape& shape, std::span<const std::uint8_t> free);

}  // namespace lazylogit::objective
