// How far a direction moves the scores of a row against each other, at most: the largest difference between two classes,
// labels or candidates that compete, over all rows of positive weight. One pass.
#pragma once

#include <span>

#include "lazylogit/objective/problem.hpp"

namespace lazylogit::objective {

double score_spread(const Problem& problem, std::span<const double> direction);

}  // namespace lazylogit::objective
